# The launcher: a small process that forks on the node's behalf. libuv copies the page tables of the
# whole node for every child (60-100 MB of them); this process has 6 MB. It is a child subreaper, so
# every orphan of a job becomes its child, an `env -i setsid` daemon too: whether a job left
# something running is one read of its own list of children, and no zombie stays behind.
#
# Only core Perl (Debian's perl-base, which is Essential), no module but strict and warnings: POSIX
# alone would double what a fork copies. Buffered I/O is never used, so a child may simply exit.
#
# Frames in both directions: 4 bytes length (network order), then the body.
#   node -> launcher, fields separated by NUL (no field but the last may hold one):
#     R id number cwd ownership hasStdin carec argc envc care... arg... env... stdin
#       run a child, as its ownership says (ownership.pl); with arguments for a caretaker
#       (caretaker.pl) that one is started, and starts bash. `~` before cwd: it is a home folder
#     C id                         read what is there, then close the child's output
#     H id held                    leave its output unread (1), read it again (0)
#     T id                         report which children are strays
#     K number                     kill the strays of that launch
#     Q                            a clean end: exit and leave alone what still runs
#   launcher -> node: kind (1 byte), id (4 bytes), payload:
#     S "pid startTicks"           forked           F  not forked, the lease is over
#     E "stage NUL errno NUL text" never lived      O  bytes of output
#     X "waitStatus eof strays bootMs [errno]"   ended then; are there strays, 0 or 1, or "?"; why
#                                  it was not in its home folder, but in the root folder
#     Z                            its output is closed, later than it ended
#     T "strays"                   the answer: "pid:number,…" with the numbers of their launches, as
#                                  far as they have one; "" for none, "?" when they are not known
#
# At end of file on the control channel the node is dead, and past the lease it may not act, though
# nobody may be left to kill it. Then every child is killed here, see launcherEnd.pl. The lease is
# read from descriptor 3, where there is one (leaseFile.ts).
use strict;
use warnings;
require($0 =~ s{[^/]*$}{$_}r) for
    qw(launcherChild.pl launcherEnd.pl launcherStrays.pl);

our ($bash, $architecture, $tag, $leaseFd) = @ARGV;
my ($READ_BYTES, $SPAWNS_PER_ROUND, $FLUSH_BYTES) = (65536, 8, 262144);
my ($F_SETFD, $F_SETFL, $O_NONBLOCK, $WNOHANG) = (2, 4, 2048, 1);
# In rounds that wait for nothing the lease is looked at once in so many.
my $ROUNDS_PER_LOOK = 64;
# Numbers of prctl, memfd_create and setsid; a Perl of another word size has others.
my %numbers = (x64 => [157, 319, 112], arm64 => [167, 279, 157]);
our ($PRCTL, $MEMFD_CREATE, $SETSID)
    = @{ length pack('p', '') == 8 && $numbers{$architecture} || [] };
our %runByPid;
my (%runById, %runByFd, %failure);
our $spare;    # the child that is forked ahead, see launcherChild.pl
our $lease;
my ($in, $out, $watched) = ('', '', '');

# Nothing that the node happened to have open is passed on to jobs.
opendir my $fds, '/proc/self/fd' or die "statecron launcher: /proc is needed: $!\n";
my @inherited = grep { /^\d+$/ && $_ > 2 && $_ ne $leaseFd } readdir $fds;
closedir $fds;
for my $fd (@inherited) { open my $handle, '<&=', $fd or next; close $handle }
if ($leaseFd ne '') {
  open $lease, '<&=', $leaseFd or die "statecron launcher: lease: $!\n";
  fcntl $lease, $F_SETFD, 1;
}
# A service manager sends its signals to every process of the service. Only the node decides here.
$SIG{$_} = 'IGNORE' for qw(PIPE INT TERM HUP);
$SIG{CHLD} = sub { };    # it only has to interrupt select
# A sweep of the session requests it (sessionSweep.ts): what forks on without pause is caught only
# by its reaper.
$SIG{USR1} = sub { endEverything(0) };

# See launchTag.ts.
$tag = '' unless defined $PRCTL && setTag($tag);
our $subreaper = defined $PRCTL && syscall($PRCTL, 36, 1, 0, 0, 0) == 0;
open our $children, '<', "/proc/$$/task/$$/children" or $subreaper = 0;
connected(my $failureRead, our $failureWrite) or die "statecron launcher: socketpair: $!\n";
fcntl $_, $F_SETFL, $O_NONBLOCK for $failureRead, *STDOUT;

# A SIGCHLD between the last check and select() is not seen by it. The end of the output nearly
# always wakes select too; the growing time-out is for what is left.
my $waitSeconds = 0.005;
my $rounds = 0;
vec($watched, 0, 1) = 1;
while (1) {
  my $ready = $watched;
  my $timeout = %runByPid ? $waitSeconds : $lease ? 1 : undef;
  $timeout = 0 if isHunting() || frameIsWaiting();
  my $count = select $ready, undef, undef, $timeout;
  $waitSeconds = $count > 0 ? 0.005 : $waitSeconds < 0.2 ? $waitSeconds * 2 : 0.25;
  endWithLease() if $count <= 0 || ++$rounds % $ROUNDS_PER_LOOK == 0;
  if ($count > 0) {
    if (vec $ready, 0, 1) {
      my $got = sysread STDIN, $in, $READ_BYTES, length $in;
      endEverything(0) if defined $got && $got == 0;
    }
    for my $fd (keys %runByFd) { forward($runByFd{$fd}, 1) if vec $ready, $fd, 1 }
  }
  for (1 .. $SPAWNS_PER_ROUND) { last unless frameIsWaiting(); takeFrame() }
  reap();
  huntOn();
  flush();
  makeSpare() unless $spare || frameIsWaiting();
}

sub frameIsWaiting { return length $in >= 4 && length $in >= 4 + unpack 'N', $in }

sub takeFrame {
  my $length = unpack 'N', $in;
  my $body = substr $in, 4, $length;
  substr $in, 0, 4 + $length, '';
  my $kind = substr $body, 0, 1;
  if ($kind eq 'R') { start($body) }
  elsif ($kind eq 'C') { my (undef, $id) = split /\0/, $body; closeOutput($id) }
  elsif ($kind eq 'H') { my (undef, $id, $isHeld) = split /\0/, $body; holdOutput($id, $isHeld) }
  elsif ($kind eq 'T') { my (undef, $id) = split /\0/, $body; report('T', $id, listStrays()) }
  elsif ($kind eq 'K') { my (undef, $number) = split /\0/, $body; hunt($number) }
  elsif ($kind eq 'Q') { flush(); exit 0 }
}

sub report {
  my ($kind, $id, $payload) = @_;
  $out .= pack 'Na1Na*', 5 + length $payload, $kind, $id, $payload;
}

# The node reads without pause, so this is never long; when it is frozen the lease comes to its end
# meanwhile, and when it is dead, all is over.
sub flush {
  my $done = 0;
  while ($done < length $out) {
    my $wrote = syswrite STDOUT, $out, length($out) - $done, $done;
    if (defined $wrote) { $done += $wrote }
    elsif ($!{EAGAIN}) {
      vec(my $writable = '', 1, 1) = 1;
      endWithLease() if select(undef, $writable, undef, 0.1) == 0;
    }
    elsif (!$!{EINTR}) { endEverything(0) }
  }
  $out = '';
}

sub start {
  my ($id, $number, $cwd, $ownership, $hasStdin, $carec, $argc, $envc, @rest)
      = split /\0/, substr($_[0], 2), -1;
  my @care = splice @rest, 0, $carec;
  my @args = splice @rest, 0, $argc;
  my @env = splice @rest, 0, $envc;
  my $stdin;
  if ($hasStdin) { $stdin = fileWith(join "\0", @rest) or return refuse($id, 'stdin') }
  my $child = !$stdin && $spare;
  if (!$child) {
    pipe my $read, my $write or return refuse($id, 'pipe');
    $child = { read => $read, write => $write };
  }
  # Checked last. /proc/uptime is the boot clock in whole hundredths of a second, rounded down.
  return report('F', $id, '') if $lease && bootMs() + 10 > leaseEndMs();
  if ($child->{pid}) {
    $spare = undef;
    my $request = join "\0", $id, $number, $cwd, $ownership, $carec, $argc, @care, @args, @env;
    writeAll($child->{control}, pack('N', length $request) . $request);
    close delete $child->{control};
  }
  else {
    my $pid = fork;
    return refuse($id, 'fork') unless defined $pid;
    if ($pid == 0) {
      detach($id, $stdin, $child->{write});
      become($id, $number, $cwd, $ownership, \@care, \@args, \@env);
    }
    close $child->{write};
    $child->{pid} = $pid;
  }
  watch($id, $child->{pid}, $child->{read}, $carec > 0);
}

sub watch {
  my ($id, $pid, $read, $isCaretaker) = @_;
  fcntl $read, $F_SETFL, $O_NONBLOCK;
  my $fd = fileno $read;
  my $run = { id => $id, pid => $pid, read => $read, fd => $fd, isCaretaker => $isCaretaker };
  $runByPid{$pid} = $runById{$id} = $runByFd{$fd} = $run;
  vec($watched, $fd, 1) = 1;
  report('S', $id, "$pid " . startTicks($pid));
}

sub refuse { my ($id, $stage) = @_; report('E', $id, join "\0", $stage, $! + 0, "$!") }

sub startTicks {
  open my $stat, '<', "/proc/$_[0]/stat" or return 0;
  sysread($stat, my $text, 1024) or return 0;
  return (split ' ', substr $text, rindex($text, ')') + 2)[19];
}

# Passes on what a child has written: one read, or up to 1 MiB of what is there. True at the end.
sub forward {
  my ($run, $reads) = @_;
  return 1 unless $run->{read};
  for (1 .. $reads) {
    my $got = sysread($run->{read}, my $bytes, $READ_BYTES);
    if (!defined $got) { return 0 }
    if ($got == 0) { dropOutput($run); return 1 }
    report('O', $run->{id}, $bytes);
    flush() if length $out > $FLUSH_BYTES;
  }
  return 0;
}

# An output that ends after its process did is the last report of the run.
sub dropOutput {
  my ($run) = @_;
  vec($watched, $run->{fd}, 1) = 0;
  delete $runByFd{ $run->{fd} };
  close delete $run->{read};
  if ($run->{ended}) { delete $runById{ $run->{id} }; report('Z', $run->{id}, '') }
}

sub closeOutput {
  my $run = $runById{ $_[0] } or return;
  dropOutput($run) unless forward($run, 16);
}

sub holdOutput {
  my ($id, $isHeld) = @_;
  my $run = $runById{$id} or return;
  vec($watched, $run->{fd}, 1) = $isHeld ? 0 : 1 if $run->{read};
}

sub reap {
  my @ended;
  while ((my $pid = waitpid -1, $WNOHANG) > 0) {
    my $status = $?;
    loseSpare() if $spare && $pid == $spare->{pid};
    forgetNumber($pid);
    my $run = delete $runByPid{$pid} or next;
    push @ended, [$run, $status, bootMs()];
  }
  return unless @ended;
  if (defined sysread($failureRead, my $lines, $READ_BYTES)) {
    for (split /\n/, $lines) { my ($id, $what) = split /\0/, $_, 2; $failure{$id} = $what }
  }
  my $strays = $subreaper ? (strays() ? 1 : 0) : '?';
  for (@ended) {
    my ($run, $status, $endedMs) = @$_;
    my $id = $run->{id};
    my $eof = forward($run, 16);
    my ($stage, $errno) = split /\0/, my $what = delete $failure{$id} // '';
    if ($what ne '' && $stage ne 'home') {
      dropOutput($run) unless $eof;
      report('E', $id, $what);
    }
    else { report('X', $id, join ' ', $status, $eof ? 1 : 0, $strays, $endedMs, $errno // ()) }
    $run->{ended} = 1;
    delete $runById{$id} unless $run->{read};
  }
}
