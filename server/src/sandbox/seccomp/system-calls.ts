/** What differs between processors: how a call is numbered, and how the kernel names the numbering. */
export interface CallNumbers {
  /** AUDIT_ARCH_*. */
  architecture: number;
  /** Where a second numbering begins that the same processor takes (x32); null where there is none. */
  foreignFrom: number | null;
  /** `fallocate` of the processor's 32 bits. */
  foreignFallocate: number;
  refused: Readonly<Record<string, number>>;
  /** What takes room on the disk beside the bytes that are written: an instance's output lies there. */
  unsupported: Readonly<Record<string, number>>;
  clone: number;
  clone3: number;
  unshare: number;
  fcntl: number;
  ioctl: number;
  socket: number;
}

/** The same everywhere: newer than the time when each processor numbered for itself. */
const newer = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
};

/**
 * What no server needs: mounting, modules, other kernels, the clock, keyrings that are shared by uid, and
 * what gave most ways out of a container (bpf, io_uring, userfaultfd, file handles).
 */
export const callNumbers: Readonly<Partial<Record<string, CallNumbers>>> = {
  x64: {
    architecture: 0xc000003e,
    foreignFrom: 0x40000000,
    foreignFallocate: 324,
    clone: 56,
    clone3: 435,
    unshare: 272,
    fcntl: 72,
    ioctl: 16,
    socket: 41,
    unsupported: { setxattr: 188, lsetxattr: 189, fsetxattr: 190, fallocate: 285, setxattrat: 463 },
    refused: {
      ...newer,
      pivot_root: 155,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      iopl: 172,
      ioperm: 173,
      create_module: 174,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      perf_event_open: 298,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    architecture: 0xc00000b7,
    foreignFrom: null,
    foreignFallocate: 352,
    clone: 220,
    clone3: 435,
    unshare: 97,
    fcntl: 25,
    ioctl: 29,
    socket: 198,
    unsupported: { setxattr: 5, lsetxattr: 6, fsetxattr: 7, fallocate: 47, setxattrat: 463 },
    refused: {
      ...newer,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      quotactl: 60,
      acct: 89,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      reboot: 142,
      settimeofday: 170,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
};
