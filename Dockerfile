# The service alone; its MongoDB is another container, see docker-compose.yml.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# A volume on /backups takes over the owner.
RUN useradd --create-home --uid 1000 calendar \
    && install --directory --owner=calendar --mode=700 /backups
WORKDIR /srv/calendar

COPY pyproject.toml constraints.txt README.md LICENSE THIRD-PARTY-NOTICES wsgi.py ./
COPY config config
COPY calendar_app calendar_app
# Its user may not write here, and would compile all at every start.
RUN pip install --constraint constraints.txt --editable . && python -m compileall -q calendar_app

USER calendar
EXPOSE 8000

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]

CMD ["calendar-app", "serve", "--bind", "0.0.0.0:8000"]
