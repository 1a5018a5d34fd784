import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { answerEscape } from './lib/request-close.ts';
import { FailedConsole } from './pages/failed-console.tsx';
import { PageBoundary } from './parts/page-boundary.tsx';
import { browserSession } from './session/browser-session.ts';
import { watchShownAgain } from './session/shown-again.ts';
import { applyTheme } from './shell/theme.ts';
import './styles/index.css';

applyTheme();
// As chosen in another tab.
addEventListener('storage', applyTheme);
answerEscape();
watchShownAgain(browserSession);
void browserSession.refresh();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PageBoundary failed={<FailedConsole />}>
      <App />
    </PageBoundary>
  </StrictMode>,
);
