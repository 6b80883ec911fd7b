// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/guarded_child.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace allport {

namespace {

constexpr int as_if_killed = 128 + SIGKILL;
constexpr timespec moment{0, 300'000'000};  // time that a program has to end by itself

[[noreturn]] void be_child(pid_t guard, const sigset_t& signals,
                           const std::function<void()>& work) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(as_if_killed);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGTTOU, SIG_IGN);  // it may complain on the terminal, as this process may
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  work();
  _exit(0);
}

bool has_ended(pid_t child) {
  siginfo_t end{};
  return waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         end.si_pid == child;
}

// All signals are blocked here; two of them are waited for. The group keeps its number until the
// child has been waited for.
[[noreturn]] void watch_over(pid_t child) {
  sigset_t events;
  sigemptyset(&events);
  sigaddset(&events, SIGCHLD);
  sigaddset(&events, SIGTERM);
  bool is_told = false;
  while (!has_ended(child)) {
    const int event =
        is_told ? sigtimedwait(&events, nullptr, &moment) : sigwaitinfo(&events, nullptr);
    if (event == SIGTERM && !is_told) {
      kill(-child, SIGTERM);
      is_told = true;
    } else if (event < 0 && errno == EAGAIN) {
      kill(-child, SIGKILL);
    }
  }
  kill(-child, SIGKILL);  // what the child has left running
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

[[noreturn]] void be_guard(pid_t parent, const sigset_t& signals,
                           const std::function<void()>& work) {
  setpgid(0, 0);
  std::signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(as_if_killed);
  const pid_t guard = getpid();
  const pid_t child = fork();
  if (child == 0) be_child(guard, signals, work);
  if (child < 0) _exit(as_if_killed);
  setpgid(child, child);
  close_range(STDERR_FILENO + 1, ~0U, 0);  // a lock of the parent ends with the parent
  watch_over(child);
}

}  // namespace

pid_t start_guarded(const std::function<void()>& work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = getpid();
  const pid_t guard = fork();
  if (guard == 0) be_guard(parent, before, work);
  const int fault = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = fault;
  return guard;
}

void end_guarded(pid_t guard) { kill(guard, SIGTERM); }

}  // namespace allport
