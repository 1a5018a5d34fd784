export default {
  // ssr: false would leave only a page that routes in the browser
  ssr: true,
};
