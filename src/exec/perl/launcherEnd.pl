# The end of all that the launcher runs: when the node is dead, or past the lease. Nobody else may
# be able to: node and guardian may be frozen, and with this process gone the orphans that shed
# group and mark would belong to init. Only caretakers are left alone: what they look after is to
# finish, and all of it is below them.
#
# This file and launcherStrays.pl do again what sessionSweep.ts and processTree.ts do. P6, P7 and P8
# need both:
# - The launcher alone is the parent of every orphan (a subreaper): it sees what shed every mark and
#   what forks on without pause. It has to act though no process with TypeScript runs any more, and
#   it is to stay small, since it is copied for each child.
# - The sweep is for when the launcher is dead or frozen: guardian, pool and the next process of the
#   node find by mark, tag, group and descent what is left, the launchers among it.
# So the first kills its own children by their list, the second what carries the session's marks;
# they share no code but the lease (leaseFile.ts) and the tag (launchTag.ts), whose format is one.
use strict;
use warnings;

our ($lease, $spare, %runByPid);
my ($WNOHANG, $LEASE_OVER) = (1, 75);
# What forks on without pause is caught by looking again without pause.
my ($HURRY_MS, $PATIENCE_MS) = (500, 10_000);

open my $uptime, '<', '/proc/uptime' or die "statecron launcher: /proc/uptime: $!\n";

sub bootMs {
  sysseek $uptime, 0, 0;
  sysread($uptime, my $text, 64) or return 9e15;    # not known: no lease is good
  return (split ' ', $text)[0] * 1000;
}

# As it was renewed last, whoever was frozen since; 0: there is none yet. It is there twice, so that
# a renewal that is half written is noticed.
sub leaseEndMs {
  while (1) {
    sysseek $lease, 0, 0;
    return 0 unless (sysread($lease, my $twice, 16) // 0) == 16;
    my ($endMs, $again) = unpack 'd2', $twice;
    return $endMs if $endMs == $again;
  }
}

sub endWithLease {
  my $endMs = $lease ? leaseEndMs() : 0;
  endEverything($LEASE_OVER) if $endMs > 0 && bootMs() > $endMs;
}

sub endEverything {
  my ($exitCode) = @_;
  my $beganMs = bootMs();
  while ((my $tookMs = bootMs() - $beganMs) < $PATIENCE_MS) {
    my @strays = strays();
    my @runs = grep { !$runByPid{$_}{isCaretaker} } keys %runByPid;
    kill 'KILL', $spare->{pid} if $spare;
    kill 'KILL', map { (-$_, $_) } @runs;
    kill 'KILL', @strays;
    my $pid;
    while (($pid = waitpid -1, $WNOHANG) > 0) {
      undef $spare if $spare && $pid == $spare->{pid};
      delete $runByPid{$pid};
    }
    exit $exitCode if $pid == -1 || !@runs && !$spare && !@strays;
    select undef, undef, undef, 0.002 if $tookMs > $HURRY_MS;
  }
  exit 1;
}

1;
