/** Where machines ask for their own secrets, as their clouds tell it; never made from the list of what is refused. */
export const METADATA_ADDRESSES: readonly string[] = [
  // Amazon, Google, Azure, Hetzner and most others.
  '169.254.169.254',
  // Amazon's containers.
  '169.254.170.2',
  // Alibaba.
  '100.100.100.200',
  // Azure's settings of machines.
  '168.63.129.16',
  // Oracle's earlier cloud.
  '192.0.0.192',
];
