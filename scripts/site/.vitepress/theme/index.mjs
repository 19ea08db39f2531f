import theme from 'vitepress/theme';
import Diagram from './Diagram.vue';
import Playground from './Playground.vue';
import './site.css';

export default {
  extends: theme,
  enhanceApp: ({ app }) => app.component('Diagram', Diagram).component('Playground', Playground),
};
