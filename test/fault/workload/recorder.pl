# A job that writes down, for itself and its descendants, what it sees with its own eyes: when it
# began, that it lives (every 50 ms), how it ended. Each is one O_APPEND write of far less than 4096
# bytes, so lines of many processes never mix, and a line that was written outlives a SIGKILL. The
# clock is CLOCK_BOOTTIME by syscall: no preloaded library and no step of the wall clock reach it.
#
#   recorder.pl LEDGER_FOLDER CLOCK_SYSCALL TOKEN [name=value...]
# ms: how long it lives; exit: its exit code; signal: it ends itself by that signal; child: a
# descendant in a session of its own lives so many ms longer; daemon: the same, without the
# environment; deaf=1: SIGTERM is ignored; noise: so many bytes of output; run: instead of all this,
# a command for a bash of its own, which ends as that does and records no signs of life
#
# Lines, fields separated by tabs, times in milliseconds:
#   S launch pid bootMs wallMs job scheduledFor attempt node token
#   T launch pid bootMs            a sign of life of the process or a descendant
#   E launch pid bootMs exitCode
use strict;
use warnings;
use Errno;

my ($folder, $clock, $token, @rest) = @ARGV;
my %want = (ms => 100, exit => 0, map { split /=/, $_, 2 } @rest);
# A daemon that has shed its environment is told on the command line whose it is.
my $job = $want{job} // $ENV{STATECRON_JOB};
my $launch = $want{launch} // $ENV{STATECRON_LAUNCH_ID};
(my $file = $job) =~ tr{/}{_};
my $mask = umask 0;    # jobs of other users write, too
my $isOpen = open my $ledger, '>>', "$folder/$file";
umask $mask;
if (!$isOpen) {
  exec 'bash', '-c', $want{run} if defined $want{run};    # nobody records any more
  exit 99;
}

sub bootMs {
  my $spec = "\0" x 16;
  syscall($clock, 7, $spec) == 0 or exit 98;
  my ($seconds, $nanoseconds) = unpack 'qq', $spec;
  return sprintf '%.3f', $seconds * 1000 + $nanoseconds / 1e6;
}

sub note { syswrite($ledger, join("\t", @_) . "\n") or exit 97 }

sub live {
  my $until = bootMs() + $_[0];
  while ((my $left = $until - bootMs()) > 0) {
    select undef, undef, undef, $left > 50 ? 0.05 : $left / 1000;
    note('T', $launch, $$, bootMs());
  }
}

$SIG{TERM} = 'IGNORE' if $want{deaf};
if ($want{isDaemon}) { live($want{ms}); exit 0 }
note('S', $launch, $$, bootMs(), time * 1000, $job, $ENV{STATECRON_SCHEDULED_FOR},
    $ENV{STATECRON_ATTEMPT}, $ENV{STATECRON_NODE}, $token);
if (defined $want{run}) {
  # For the command to answer, and after it for nobody.
  my @passed = qw(HUP INT QUIT TERM USR1 USR2);
  $SIG{$_} = sub { } for @passed;
  my $pid = fork // exit 94;
  if (!$pid) { exec 'bash', '-c', $want{run}; exit 127 }
  1 while waitpid($pid, 0) < 0 && $!{EINTR};
  if (my $signal = $? & 127) {
    $SIG{$_} = 'DEFAULT' for @passed;
    kill $signal, $$;
  }
  my $code = $? >> 8;
  note('E', $launch, $$, bootMs(), $code);
  exit $code;
}
if ($want{child} && !fork) {
  syscall($clock == 228 ? 112 : 157) != -1 or exit 95;    # setsid on x64 and arm64
  live($want{ms} + $want{child});
  exit 0;
}
if ($want{daemon} && !fork) {
  my $ms = $want{ms} + $want{daemon};
  %ENV = ();
  exec $^X, $0, $folder, $clock, $token, "ms=$ms", 'isDaemon=1', "job=$job", "launch=$launch";
  exit 96;
}
if ($want{noise}) {
  my $piece = ('x' x 1023) . "\n";
  print $piece for 1 .. $want{noise} / 1024;
}
live($want{ms});
kill $want{signal}, $$ if $want{signal};
note('E', $launch, $$, bootMs(), $want{exit});
exit $want{exit};
