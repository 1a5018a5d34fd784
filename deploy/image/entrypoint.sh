#!/bin/sh
# Runs `lilac` with the given words.
set -u

# Limits of builds and databases need control groups that can be written. Where the container may (SYS_ADMIN), its own can.
awk '/ - cgroup2? / { print $5 }' /proc/self/mountinfo | xargs -r -n 1 mount -o remount,bind,rw 2>/dev/null

# Before it begins, so that it is told whenever the signal comes.
trap 'kill -TERM "$!"' TERM INT
lilac "$@" &
server=$!
wait "$server"
code=$?
# A signal ends the waiting too, and not yet the server.
while kill -0 "$server" 2>/dev/null; do
  wait "$server"
  code=$?
done

# Databases that are processes in here (those of a swarm are not) run on without the server, and would be killed with the
# container: they are asked to end first, so that the next one need not recover them.
pkill -INT -x postgres
pkill -TERM -x mariadbd
tries=0
while [ "$tries" -lt 400 ] && { pgrep -x postgres || pgrep -x mariadbd; } >/dev/null; do
  sleep 0.1
  tries=$((tries + 1))
done
exit "$code"
