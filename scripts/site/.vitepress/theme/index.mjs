import theme from 'vitepress/theme';
import Diagram from './Diagram.vue';
import './site.css';

export default { extends: theme, enhanceApp: ({ app }) => app.component('Diagram', Diagram) };
