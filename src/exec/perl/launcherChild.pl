# The child's side of the launcher: what happens between the fork and the exec of bash, and the
# child that is forked ahead. A fork is half a millisecond of a launch, so one is always done before
# it is needed: the spare has its session and its output, and waits for what to become. It
# ends with the launcher, at end of file.
use strict;
use warnings;
no warnings 'exec';

require($0 =~ s{[^/]*$}{ownership.pl}r);

our ($bash, $architecture, $tag, $PRCTL, $MEMFD_CREATE, $SETSID, $failureWrite, $spare);
# Read now, as the files of another version may stand there when a caretaker is needed.
my $caretaker = join '', map {
  my $name = $_;
  open my $file, '<', $0 =~ s{[^/]*$}{$name}r or die "statecron launcher: $name: $!\n";
  local $/;
  qq(# line 1 "$name"\n) . <$file>;
} qw(ownership.pl spoolFile.pl caretaker.pl);
my $spareLost;
my ($F_SETFD, $PR_SET_PDEATHSIG, $SIGKILL, $RLIMIT_LOCKS) = (2, 1, 9, 10);
my $launcher = $$;

# Forks ahead; without one a launch forks for itself, so a failure here is no news.
sub makeSpare {
  return if $spareLost;
  pipe my $read, my $write or return;
  connected(my $listen, my $control) or return;
  my $pid = fork;
  return unless defined $pid;
  if ($pid == 0) {
    close $control;
    detach(0, undef, $write);
    my $length = unpack 'N', readExactly($listen, 4);
    my ($id, $number, $cwd, $ownership, $carec, $argc, @rest)
        = split /\0/, readExactly($listen, $length), -1;
    my @care = splice @rest, 0, $carec;
    become($id, $number, $cwd, $ownership, \@care, [splice @rest, 0, $argc], \@rest);
  }
  $spare = { pid => $pid, read => $read, control => $control };
}

# Two ends of a line that nobody else can open: what leads to a pipe of this process, in
# /proc/PID/fd, a job of the same user can open, too. (AF_UNIX, SOCK_STREAM.)
sub connected { return socketpair $_[0], $_[1], 1, 1, 0 }

# Somebody killed it: the node's end has begun, and who sweeps it must not find a new one each time.
sub loseSpare { $spareLost = 1; $spare = undef }

# A file for standard input, without a name; undef: there is no room for it.
sub fileWith {
  my ($text) = @_;
  my ($file, $done) = (undef, 0);
  $! = 0;
  my $fd = defined $MEMFD_CREATE ? syscall($MEMFD_CREATE, my $name = "stdin", 1) : -1;
  my $errno = $! + 0;    # Perl's file without a name fails with another
  if (!($fd >= 0 ? open $file, '+<&=', $fd : open $file, '+>', undef)) {
    $! = $errno if $errno;
    return;
  }
  while ($done < length $text) { $done += syswrite($file, $text, 65536, $done) || return }
  sysseek $file, 0, 0;
  return $file;
}

sub readExactly {
  my ($listen, $length) = @_;
  my $text = '';
  while (length $text < $length) {
    my $got = sysread $listen, $text, $length - length $text, length $text;
    exit 0 if defined $got ? $got == 0 : !$!{EINTR};
  }
  return $text;
}

# To a spare that has died the write fails; its end is then reported like any other's.
sub writeAll {
  my ($to, $text) = @_;
  my $done = 0;
  while ($done < length $text) {
    my $wrote = syswrite $to, $text, length($text) - $done, $done;
    if (defined $wrote) { $done += $wrote } elsif (!$!{EINTR}) { return }
  }
}

# The child's side of the fork. A failure goes, in one atomic line, to a pipe that exec closes.
sub fail { note(@_); exit 127 }

sub note {
  my ($id, $stage) = @_;
  syswrite $failureWrite, join("\0", $id, $stage, $! + 0, "$!") . "\n";
}

sub detach {
  my ($id, $stdin, $write) = @_;
  $SIG{$_} = 'DEFAULT' for qw(PIPE INT TERM HUP CHLD USR1);
  setsid() or fail($id, 'setsid');
  ($stdin ? open STDIN, '<&', $stdin : open STDIN, '<', '/dev/null') or fail($id, 'stdin');
  open STDOUT, '>&', $write or fail($id, 'stdout');
  open STDERR, '>&', $write or fail($id, 'stdout');
}

sub become {
  my ($id, $number, $cwd, $ownership, $care, $args, $env) = @_;
  setTag($number) if $tag ne '';
  becomeCaretaker(@_) if @$care;
  my $fail = sub { fail($id, $_[0]) };
  my $owner = $ownership eq '' ? undef : findOwner($ownership, $fail);
  %ENV = map { split /=/, $_, 2 } @$env;
  my $note = sub { note($id, $_[0]) };
  if ($ownership eq '') { enter($cwd, $fail, $note) }
  else { takeOwnership($ownership, $owner, $cwd, $fail, $note) }
  endWithLauncher();
  exec { $bash } 'bash', @$args or fail($id, 'exec');
}

# Bash dies at once when the launcher does, by whatever signal. What bash starts has to be looked
# for. A change of user forgets it, so it is set last; and the launcher may have died before.
sub endWithLauncher {
  return unless defined $PRCTL;
  syscall $PRCTL, $PR_SET_PDEATHSIG, $SIGKILL, 0, 0, 0;
  kill 'KILL', $$ if getppid != $launcher;
}

# The hard limit is the session's number, the soft one the launch's.
sub setTag { return limit($RLIMIT_LOCKS, $_[0], $tag) }

# The caretaker stays what the node is, whatever user its job has, so the job's environment is no
# environment for it (PERL5OPT, LD_PRELOAD): it is handed over in a file, as its bash is to have it.
sub becomeCaretaker {
  my ($id, undef, $cwd, $ownership, $care, $args, $env) = @_;
  # Entered here when it runs as no other user, so that a failure is reported before bash lives.
  if ($ownership eq '') { enter($cwd, sub { fail($id, @_) }, sub { note($id, @_) }) }
  my $file = fileWith(join "\0", @$env) or fail($id, 'stdin');
  my $program = fileWith($caretaker) or fail($id, 'stdin');
  fcntl $_, $F_SETFD, 0 for $file, $program, $failureWrite;
  my @own = grep { /^STATECRON_(?:LAUNCH_ID|ON_FENCE)=/ } @$env;
  %ENV = map { split /=/, $_, 2 } @own;
  my @numbers = map { $_ // '' } $PRCTL, $SETSID;
  my @fds = (fileno $file, fileno $failureWrite);
  unshift @$args, $bash, @numbers, $architecture, $id, @fds, $cwd, $ownership;
  my $path = '/proc/self/fd/' . fileno $program;
  exec { $^X } 'statecron-caretaker', $path, @$care, @$args or fail($id, 'exec');
}

# A session of its own where the number of the system call is known, else a process group.
sub setsid { return defined $SETSID ? syscall($SETSID) != -1 : setpgrp 0, 0 }

1;
