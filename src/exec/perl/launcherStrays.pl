# What runs leave behind: as this process is a subreaper, every orphan of theirs becomes its child.
use strict;
use warnings;

our ($spare, $tag, $subreaper, $children, %runByPid);
my ($READ_BYTES, $ROUNDS_PER_HUNT) = (65536, 100);
my (%numbers, %hunted);

# Children that are not the bash of a run: what runs left behind. Only this process removes from the
# list, by reaping, so one read of it is complete: whoever forks on without pause has a child on
# it, though it may have ended.
sub strays {
  return unless $subreaper;
  my $list = '';
  sysseek $children, 0, 0;
  while (sysread $children, $list, $READ_BYTES, length $list) { }
  my $waiting = $spare ? $spare->{pid} : 0;
  return grep { !$runByPid{$_} && $_ != $waiting } split ' ', $list;
}

sub listStrays {
  return '?' unless $subreaper;
  return join ',', map { "$_:" . numberOf($_) } strays();
}

# The number of the launch that a child descends from, see launchTag.ts; '': it has none. Until it
# is reaped it is the same child, and can be read even when it has ended.
sub numberOf {
  my ($pid) = @_;
  return $numbers{$pid} //= do {
    my $limits = '';
    if (open my $file, '<', "/proc/$pid/limits") { sysread $file, $limits, 4096 }
    $limits =~ /^Max file locks +(\d+) +(\d+) /m && $2 eq $tag ? $1 : '';
  };
}

sub forgetNumber { delete $numbers{ $_[0] } }

# Kills the strays of a launch until there are none, in rounds without a pause: what forks on
# without pause has another process number by the time that anybody else has looked.
sub hunt { $hunted{ $_[0] } = 1 }

sub isHunting { return %hunted ? 1 : 0 }

sub huntOn {
  for (1 .. $ROUNDS_PER_HUNT) {
    return unless %hunted;
    my @found = grep { $hunted{ numberOf($_) } } strays();
    kill 'KILL', @found;
    %hunted = map { (numberOf($_) => 1) } @found;
    reap();
  }
}

1;
