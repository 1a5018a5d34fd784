import { createApp, h } from 'vue';

createApp({ render: () => h('h1', 'Hello from Vue CLI') }).mount('#app');
