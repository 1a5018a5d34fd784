import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('root')).render(<h1>Hello from Create React App</h1>);
