# Opens the socket of the service manager (systemd) and becomes the program that is given, with the
# same process id. Node has no datagrams of unix sockets, but writes to one that is open and
# connected; and the manager, which gets the sender of a message from the kernel, need accept
# the main process of the service alone (NotifyAccess=main): no job can speak for it. Only core
# Perl, no module. Arguments: the program and its own. STATECRON_NOTIFY_FD is the number for it.
#
# Without arguments it passes on each line of standard input, for a guardian that was started
# without this program. It stays for as long as the guardian does, since the manager looks the
# sender up after it has read the message, and takes no notice of one that is gone by then.
use strict;
use warnings;

my ($AF_UNIX, $SOCK_DGRAM, $F_SETFD, $F_SETFL, $O_NONBLOCK) = (1, 2, 2, 4, 2048);
my $MSG_DONTWAIT = 0x40;
my $path = $ENV{NOTIFY_SOCKET} // '';
# A name that begins with @ is an abstract one: a NUL stands for it.
if ($path =~ s/^@/\0/ || $path =~ m{^/}) {
  socket my $socket, $AF_UNIX, $SOCK_DGRAM, 0 or die "statecron: socket: $!\n";
  my $address = pack 'Sa*', $AF_UNIX, $path;
  passOn($socket, $address) unless @ARGV;
  if (connect $socket, $address) {
    # A manager that reads nothing must not hold the guardian up.
    fcntl $socket, $F_SETFL, $O_NONBLOCK;
    fcntl $socket, $F_SETFD, 0;
    $ENV{STATECRON_NOTIFY_FD} = fileno $socket;
    exec { $ARGV[0] } @ARGV or die "statecron: $ARGV[0]: $!\n";
  }
  print STDERR "statecron: the service manager cannot be reached at $ENV{NOTIFY_SOCKET}: $!\n";
}
exec { $ARGV[0] } @ARGV or die "statecron: $ARGV[0]: $!\n";

sub passOn {
  my ($socket, $address) = @_;
  $SIG{$_} = 'IGNORE' for qw(INT TERM HUP);
  while (defined(my $line = <STDIN>)) {
    chomp $line;
    # A manager that is away, or busy, gets the next one.
    send $socket, $line, $MSG_DONTWAIT, $address;
  }
  exit;
}
