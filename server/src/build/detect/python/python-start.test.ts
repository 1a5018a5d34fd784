import { describe, expect, it } from 'vitest';
import { detectPlan } from '../detect-plan.ts';
import { memoryTree } from '../testing/memory-tree.ts';
import { noSettings, planFor } from '../testing/plan-for.ts';

const HOST = '--host 0.0.0.0 --port $PORT';

describe('how a program of Python is started', () => {
  it('FastAPI: wherever a likely file makes the application', async () => {
    const needs = { 'requirements.txt': 'fastapi\nuvicorn\n' };
    const app = 'from fastapi import FastAPI\napp = FastAPI()\n';
    expect(await startOf({ ...needs, 'app/main.py': app })).toBe(`uvicorn app.main:app ${HOST}`);
    expect(await startOf({ ...needs, 'src/shop/api.py': app })).toBe(`uvicorn shop.api:app ${HOST} --app-dir src`);
    expect(await startOf({ ...needs, 'shop/__init__.py': '', 'shop/server.py': app })).toBe(
      `uvicorn shop.server:app ${HOST}`,
    );
    const seed = { ...needs, 'main.py': 'print("seeds the database")', 'shop/main.py': app };
    expect(await startOf(seed)).toBe(`uvicorn shop.main:app ${HOST}`);
    expect(await startOf({ ...needs, 'app/main.py': 'def create_app() -> FastAPI:\n  return FastAPI()' })).toBe(
      `uvicorn app.main:create_app ${HOST} --factory`,
    );
  });

  it('Flask: the application, or the function that makes one, with or without gunicorn', async () => {
    const factory = { 'shop/__init__.py': 'def create_app(config=None):\n  app = Flask(__name__)\n  return app' };
    const needs = { 'requirements.txt': 'flask\ngunicorn\n' };
    expect(await startOf({ ...needs, ...factory })).toBe(`gunicorn --bind 0.0.0.0:$PORT 'shop:create_app()'`);
    expect(await startOf({ ...needs, ...factory, 'wsgi.py': 'app = create_app()' })).toBe(
      'gunicorn --bind 0.0.0.0:$PORT wsgi:app',
    );
    expect(await startOf({ 'requirements.txt': 'flask', ...factory })).toBe(`flask --app shop:create_app run ${HOST}`);
    const plain = 'app = Flask(__name__)\nif __name__ == "__main__":\n  app.run(debug=True)\n';
    expect(await startOf({ 'requirements.txt': 'flask', 'app.py': plain })).toBe(`flask --app app:app run ${HOST}`);
  });

  it('Django: in the folder of its manage.py', async () => {
    const needs = { 'requirements.txt': 'django' };
    const start = 'python manage.py migrate && gunicorn --bind 0.0.0.0:$PORT shop.wsgi:application';
    expect(await startOf({ ...needs, 'manage.py': '', 'shop/wsgi.py': '' })).toBe(start);
    expect(await startOf({ ...needs, 'web/manage.py': '', 'web/shop/wsgi.py': '' })).toBe(`cd web && ${start}`);
  });

  it('a server alone among the packages serves what is called an application', async () => {
    expect(await startOf({ 'requirements.txt': 'uvicorn', 'main.py': 'app = Router()' })).toBe(
      `uvicorn main:app ${HOST}`,
    );
    expect(await startOf({ 'requirements.txt': 'uvicorn', 'main.py': 'uvicorn.run(x)' })).toBe('python main.py');
  });

  it('Streamlit, Gradio, Chainlit: the file of the pages, open to the outside', async () => {
    expect(await startOf({ 'requirements.txt': 'streamlit', 'dash board.py': page('streamlit'), 'lib.py': '' })).toBe(
      `streamlit run 'dash board.py' --server.port $PORT --server.address 0.0.0.0`,
    );
    const both = { 'requirements.txt': 'fastapi\nstreamlit', 'streamlit_app.py': page('streamlit') };
    expect((await planFor(both)).framework).toBe('streamlit');
    expect(await startOf({ 'requirements.txt': 'gradio', 'app.py': page('gradio') })).toBe(
      'GRADIO_SERVER_NAME=0.0.0.0 GRADIO_SERVER_PORT=$PORT python app.py',
    );
    expect(await startOf({ 'requirements.txt': 'chainlit\nfastapi', 'bot.py': page('chainlit') })).toBe(
      'chainlit run bot.py --host 0.0.0.0 --port $PORT',
    );
  });

  it('is found with few reads, however many folders there are', async () => {
    const folders = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}/main.py`, 'x = 1']));
    const tree = memoryTree({ 'requirements.txt': 'fastapi', ...folders });
    await detectPlan(tree, noSettings);
    expect(tree.asked.length).toBeLessThan(25);
  });
});

function page(name: string): string {
  return `import ${name} as x\n`;
}

async function startOf(files: Record<string, string>): Promise<string | null> {
  return (await planFor(files)).startCommand;
}
