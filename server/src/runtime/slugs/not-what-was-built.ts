/** Said of files whose hash is not that of what was built. */
export const NOT_WHAT_WAS_BUILT =
  'The files of this deployment are not what was built: they are not run. Deploy it again.';
