# The caretaker of one job that is to be left to finish when its node is fenced. It stands between
# the launcher and bash: it owns the job's output, waits for it, and writes what it came to into the
# spool, where the next process of the node finds it when this one's node is gone. While the node
# lives it passes all output on and ends as bash ended, so that the node notices no difference, and
# the node enforces timeout and stop. When its parent, the launcher, is gone, it holds the timeout
# itself. It is a subreaper, so that whatever the job starts is below it and known by it.
#
# What it keeps, masks and spools, the node does again for all other jobs (keptOutput.ts,
# secretMasker.ts, spoolFolder.ts). A job that is to finish must not lose its output or its result,
# nor show a secret, though no process of the node is left (P7: it writes nothing to the database
# any more, the spool is its only way). There is one for each such job, so it has to be small. The
# two must agree in the spooled file; test/exec/perl/caretaker.test.ts holds them to it.
#
# Only core Perl (Debian's perl-base). The arguments, then those of bash:
#   folder launchId fileName timeoutMs graceMs outputBytesMax leftovers clockOffsetMs
#   secretNames
#   bash prctlNumber setsidNumber architecture id envFd failureFd cwd ownership
# An empty folder: nothing is written. clockOffsetMs: the database's clock minus the boot clock.
# secretNames: NAME,NAME, whose values are masked in what is kept; what is passed on to the node,
# the node masks. envFd: the environment of bash; failureFd: where to report, for the run of that
# id, that there never was a bash. With an ownership (ownership.pl) bash alone takes it on, in
# its cwd.
#
# It is read, after ownership.pl and spoolFile.pl, from a file without a name: what the launcher
# read when it started.
use strict;
use warnings;
use IO::Handle;
no warnings 'exec';

my ($folder, $launchId, $fileName, $timeoutMs, $graceMs, $bytesMax, $leftovers, $clockOffsetMs,
    $secretNames, $bash, $PRCTL, $SETSID, $arch, $id, $envFd, $failureFd, $cwd, $ownership,
    @args) = @ARGV;
our $architecture = $arch;
my ($F_SETFD, $F_SETFL, $O_NONBLOCK, $WNOHANG, $READ_BYTES) = (2, 4, 2048, 1, 65536);
my ($SUBREAPER, $DUMPABLE, $SETTLE_MS) = (36, 4, 250);
# $0 is not set: that would overwrite the environment, by which this process is known.
$launcher = getppid;

$SIG{$_} = 'IGNORE' for qw(PIPE INT TERM HUP);
$SIG{CHLD} = sub { };    # it only has to interrupt select
syscall $PRCTL + 0, $SUBREAPER, 1, 0, 0, 0 if $PRCTL ne '';

if ($0 =~ m{^/proc/self/fd/(\d+)$}) { open my $program, '<&=', $1; close $program }
open my $envFile, '<&=', $envFd or die "statecron caretaker: environment: $!\n";
open my $failureWrite, '>&=', $failureFd or die "statecron caretaker: failures: $!\n";
fcntl $_, $F_SETFD, 1 for $envFile, $failureWrite;
my @env = split /\0/, do { local $/; <$envFile> // '' };
close $envFile;
pipe my $read, my $write or die "statecron caretaker: pipe: $!\n";
my $beganMs = bootMs();
my $bashPid = fork;
die "statecron caretaker: fork: $!\n" unless defined $bashPid;
become() if $bashPid == 0;
close $write;
close $failureWrite;
fcntl $read, $F_SETFL, $O_NONBLOCK;

my ($head, $tail, $totalBytes, $forwards, $status) = ('', '', 0, 1, undef);
my $headMax = int(($bytesMax + 1) / 2);
my $tailMax = $bytesMax - $headMax;
my ($secret, $secretMax, $unsure) = (secretPattern(), '');
# When SIGTERM and SIGKILL are due, on the boot clock; undef: not.
my ($termAtMs, $killAtMs, $timedOut, $killed) = (undef, undef, 0, 0);

while (1) {
  takeOutput();
  reap();
  last if defined $status && ($leftovers eq 'leave' || !descendants());
  pursue();
}
takeOutput();
keep('', 1);
writeResult() if $folder ne '';
endAlike();

sub become {
  $SIG{$_} = 'DEFAULT' for qw(PIPE INT TERM HUP CHLD);
  $SETSID ne '' ? syscall $SETSID + 0 : setpgrp 0, 0;
  open STDOUT, '>&', $write;
  open STDERR, '>&', $write;
  my $note = sub { syswrite $failureWrite, join("\0", $id, $_[0], $! + 0, "$!") . "\n" };
  my $fail = sub { $note->(@_); exit 127 };
  my $owner = $ownership eq '' ? undef : findOwner($ownership, $fail);
  %ENV = map { split /=/, $_, 2 } @env;
  takeOwnership($ownership, $owner, $cwd, $fail, $note) if $ownership ne '';
  exec { $bash } 'bash', @args or print STDERR "statecron: $bash cannot be started: $!\n";
  exit 127;
}

# Waits shortly for output, then takes what is there.
sub takeOutput {
  if (!$read) { select undef, undef, undef, 0.02; return }
  my $ready = '';
  vec($ready, fileno $read, 1) = 1;
  select $ready, undef, undef, defined $status ? 0.02 : 0.2;
  for (1 .. 64) {
    my $got = sysread($read, my $bytes, $READ_BYTES);
    return unless defined $got;
    if ($got == 0) { close $read; undef $read; return }
    keep($bytes);
    forward($bytes);
  }
}

# Half of the bound from the beginning, half from the end, as the node keeps it.
sub keep {
  my ($bytes, $isEnd) = @_;
  $bytes = masked($bytes, $isEnd) if defined $secret;
  $totalBytes += length $bytes;
  my $room = $headMax - length $head;
  $head .= substr $bytes, 0, $room, '' if $room > 0;
  $tail .= $bytes;
  substr $tail, 0, length($tail) - $tailMax, '' if length $tail > $tailMax;
}

# What secretMasker.ts looks for, the longest first, and the length of that.
sub secretPattern {
  my %value = map { split /=/, $_, 2 } @env;
  my @values = map { $value{$_} // () } split /,/, $secretNames;
  my @lines = map { /[\r\n]/ ? split /\s*[\r\n]+\s*/ : () } @values;
  my @texts = sort { length $b <=> length $a } grep { length >= 6 } @values, @lines;
  return @texts ? (join('|', map { quotemeta } @texts), length $texts[0]) : (undef, 0);
}

# All but what may be the beginning of a secret, with what overlaps masked as one.
sub masked {
  my ($bytes, $isEnd) = @_;
  $unsure .= $bytes;
  my ($sure, $at) = ('', 0);
  my $holdFrom = length($unsure) - ($isEnd ? 0 : $secretMax - 1);
  while ($unsure =~ /$secret/g) {
    my ($from, $until) = ($-[0], $+[0]);
    last if $from >= $holdFrom && $from >= $at;
    $sure .= substr($unsure, $at, $from - $at) . '***' if $from >= $at;
    $at = $until if $until > $at;
    pos($unsure) = $from + 1;
  }
  if ($at < $holdFrom) { $sure .= substr $unsure, $at, $holdFrom - $at; $at = $holdFrom }
  substr $unsure, 0, $at, '';
  return $sure;
}

sub forward {
  my ($bytes) = @_;
  my $done = 0;
  while ($forwards && $done < length $bytes) {
    my $wrote = syswrite STDOUT, $bytes, length($bytes) - $done, $done;
    if (defined $wrote) { $done += $wrote } elsif (!$!{EINTR}) { $forwards = 0 }
  }
}

sub reap {
  while ((my $pid = waitpid -1, $WNOHANG) > 0) {
    next unless $pid == $bashPid;
    $status = $?;
    my $nowMs = bootMs();
    if (!defined $termAtMs && $leftovers eq 'kill') {
      ($termAtMs, $killAtMs) = ($nowMs + $SETTLE_MS, $nowMs + $SETTLE_MS + $graceMs);
    }
  }
}

# Sends the signals that are due: to what bash left, or to all when the time is over.
sub pursue {
  my $nowMs = bootMs();
  my $isOver = $timeoutMs ne '' && $nowMs - $beganMs >= $timeoutMs;
  if ($isOver && !$timedOut && getppid != $launcher) {
    $timedOut = 1;
    ($termAtMs, $killAtMs) = ($nowMs, $nowMs + $graceMs);
  }
  if (defined $killAtMs && $nowMs >= $killAtMs) { $killed = 1; kill 'KILL', descendants() }
  elsif (defined $termAtMs && $nowMs >= $termAtMs) {
    kill 'TERM', descendants();
    $termAtMs = 9e15;
  }
}

# All below this process, the oldest generation first.
sub descendants {
  my @found = childrenOf($$);
  for (my $at = 0; $at < @found; $at++) { push @found, childrenOf($found[$at]) }
  return @found;
}

sub childrenOf {
  open my $list, '<', "/proc/$_[0]/task/$_[0]/children" or return;
  local $/;
  return split ' ', <$list> // '';
}

sub bootMs {
  open my $uptime, '<', '/proc/uptime' or return 0;
  return (split ' ', <$uptime>)[0] * 1000;
}

# The format of a result's file is described in resultFile.ts. What spoolFile.pl reports of a spool
# that could not be written at once goes into the reason.
sub writeResult {
  my $signal = $status & 0x7f;
  my $result = $timedOut ? 'timed_out' : $status == 0 ? 'succeeded' : 'failed';
  my $how = $killed ? "SIGTERM, then SIGKILL $graceMs ms later" : 'SIGTERM';
  my @reasons = $timedOut ? "Timed out after $timeoutMs ms: $how." : ();
  my $leftOut = $totalBytes - length($head) - length $tail;
  my $marker = $leftOut > 0 ? "\n[statecron: $leftOut bytes left out]\n" : '';
  my $output = $head . $marker . $tail;
  my $endedMs = $clockOffsetMs eq '' ? 'null' : int(bootMs() + $clockOffsetMs);
  spoolFile($folder, $fileName, sub {
    my $reason = @reasons || @_ ? '"' . join(' ', @reasons, @_) . '"' : 'null';
    return sprintf('{"format":1,"launchId":"%s","endedMs":%s,"result":"%s","exitCode":%s,'
        . '"signal":%s,"reason":%s,"outputBytes":%d,"keptBytes":%d}' . "\n",
        $launchId, $endedMs, $result, $signal ? 'null' : $status >> 8, $signal || 'null', $reason,
        $totalBytes, length $output) . $output;
  });
}

# Ends with bash's exit code, or by its signal and without a core of Perl's own.
sub endAlike {
  my $signal = $status & 0x7f;
  exit $status >> 8 unless $signal;
  syscall $PRCTL + 0, $DUMPABLE, 0, 0, 0, 0 if $PRCTL ne '';
  $SIG{$_} = 'DEFAULT' for qw(PIPE INT TERM HUP);
  kill $signal, $$;
  select undef, undef, undef, 1;
  exit 128 + $signal;
}
