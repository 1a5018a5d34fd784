/** @type {import('next').NextConfig} */
const nextConfig = {
  output: 'export',
  distDir: 'site', // where an export is written to
  images: { unoptimized: true },
};

export default nextConfig;
