// import adapter from '@sveltejs/adapter-auto';
import adapter from '@sveltejs/adapter-static';

export default {
  kit: {
    adapter: adapter({ pages: 'www', fallback: '404.html' }),
  },
};
