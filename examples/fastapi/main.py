from fastapi import FastAPI

api = FastAPI()


@api.get('/')
def index() -> dict[str, str]:
    return {'hello': 'from FastAPI'}
