import { greet } from '@garden/greetings';

document.querySelector('#greeting').textContent = greet('gardener');
