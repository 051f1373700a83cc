# The pace at which the launcher starts children. Jobs are due together, and twenty shells that
# begin at once have nearly all of two processors until the last of them has begun: the node's
# requests, and the database that it asks for them, wait for as long. So they begin one after the
# other, one for each two processors, with a moment in between. That is not to cost throughput: all
# pauses are a sixteenth of the time at most, and those that wait otherwise begin as they can.
use strict;
use warnings;

our $processors;
my ($MOMENT_SECONDS, $PATIENCE_SECONDS, $PATIENCE_SHARE) = (0.003, 0.06, 1 / 16);
# Of a round in which much is ready time goes by, too, though it waits for nothing.
my $ROUND_SECONDS = 0.0001;
# What is left of a pause, and what pauses may still take.
my ($pause, $patience, $begun) = (0, $PATIENCE_SECONDS, 0);

# How many seconds whoever is to be started waits still.
sub pauseSeconds {
  my $left = $pause < $patience ? $pause : $patience;
  return $left > 0 ? $left : 0;
}

# Seconds have gone by in which somebody waited, or nobody did; undef: more than are counted.
sub passTime {
  my ($seconds, $isWaiting) = @_;
  my $passed = $ROUND_SECONDS + ($seconds // 1);
  $patience += $passed * $PATIENCE_SHARE;
  $patience = $PATIENCE_SECONDS if $patience > $PATIENCE_SECONDS;
  $patience -= $passed if $isWaiting && $pause > 0;
  $pause -= $passed;
}

# The pace keeps no time while it is as patient as can be.
sub isPatient { return $patience == $PATIENCE_SECONDS && $pause <= 0 }

sub noteStart {
  $begun += 1;
  return if $begun < $processors / 2;
  $begun = 0;
  $pause = $MOMENT_SECONDS;
}

1;
