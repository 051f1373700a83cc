# The child's side of the launcher: what happens between the fork and the exec of bash, and the
# child that is forked ahead. A fork is half a millisecond of a launch, so one is always done before
# it is asked for: the spare has its session and its output, and waits to be told what to become. It
# ends with the launcher, at end of file.
use strict;
use warnings;
no warnings 'exec';

our ($bash, $SETSID, $failureWrite, $spare);
my $spareLost;

# Forks ahead; without one a launch forks for itself, so a failure here is no news.
sub makeSpare {
  return if $spareLost;
  pipe my $read, my $write or return;
  pipe my $listen, my $tell or return;
  my $pid = fork;
  return unless defined $pid;
  if ($pid == 0) {
    close $tell;
    detach(0, undef, $write);
    my $length = unpack 'N', readExactly($listen, 4);
    my ($id, $cwd, $argc, @rest) = split /\0/, readExactly($listen, $length), -1;
    become($id, $cwd, [splice @rest, 0, $argc], \@rest);
  }
  $spare = { pid => $pid, read => $read, tell => $tell };
}

# Somebody killed it: the node's end has begun, and who sweeps it must not find a new one each time.
sub loseSpare { $spareLost = 1; $spare = undef }

sub readExactly {
  my ($listen, $length) = @_;
  my $text = '';
  while (length $text < $length) {
    my $got = sysread $listen, $text, $length - length $text, length $text;
    exit 0 if defined $got ? $got == 0 : !$!{EINTR};
  }
  return $text;
}

# To a spare that has died the write fails; its end is then told like any other's.
sub writeAll {
  my ($to, $text) = @_;
  my $done = 0;
  while ($done < length $text) {
    my $wrote = syswrite $to, $text, length($text) - $done, $done;
    if (defined $wrote) { $done += $wrote } elsif (!$!{EINTR}) { return }
  }
}

# The child's side of the fork. A failure goes, in one atomic line, to a pipe that exec closes.
sub fail {
  my ($id, $stage) = @_;
  syswrite $failureWrite, join("\0", $id, $stage, $! + 0, "$!") . "\n";
  exit 127;
}

sub detach {
  my ($id, $stdin, $write) = @_;
  $SIG{$_} = 'DEFAULT' for qw(PIPE INT TERM HUP CHLD);
  setsid() or fail($id, 'setsid');
  ($stdin ? open STDIN, '<&', $stdin : open STDIN, '<', '/dev/null') or fail($id, 'stdin');
  open STDOUT, '>&', $write or fail($id, 'stdout');
  open STDERR, '>&', $write or fail($id, 'stdout');
}

sub become {
  my ($id, $cwd, $args, $env) = @_;
  chdir $cwd or fail($id, 'cwd');
  %ENV = map { split /=/, $_, 2 } @$env;
  exec { $bash } 'bash', @$args or fail($id, 'exec');
}

# A session of its own where the number of the system call is known, else a process group.
sub setsid { return defined $SETSID ? syscall($SETSID) != -1 : setpgrp 0, 0 }

1;
