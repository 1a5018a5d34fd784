import { colour } from '@meadow/theme';

document.body.style.color = colour;
