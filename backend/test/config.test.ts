// The environment is checked once, and secrets are made once (design "Configuration").
import { expect, test } from 'bun:test'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../src/app/server.ts'
import { readConfig } from '../src/platform/config.ts'
import { ConfigError } from '../src/platform/config-error.ts'
import { countRounds } from './rounds.ts'
import { makeTestFolder } from './test-folder.ts'

const home = makeTestFolder()

async function dataDir(): Promise<string> {
  return mkdtemp(join(home, 'config-'))
}

test('every problem of the environment is named at once', () => {
  const wrong = {
    PORT: 'abc',
    DATABASE_URL: 'mysql://x',
    JWT_SECRET: 'short',
    ADMIN_EMAIL: 'nobody',
    TRUSTED_PROXIES: '10.0.0.0/8, proxy.local',
    METRICS_FROM: '10.0.0.0/99',
    METRICS_TOKEN: 'short',
    GOWA_URL: 'http://gateway:3000',
    S3_ENDPOINT: 'http://minio:9000',
  }
  const read = () => readConfig(wrong)
  expect(read).toThrow(ConfigError)
  try {
    read()
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems.join('\n') : ''
    for (const name of Object.keys(wrong)) expect(problems).toContain(name)
  }
})

test('an address that a password has made another one of is refused, without telling the password', async () => {
  const DATA_DIR = await dataDir()
  const readRefusal = (env: Record<string, string>) => {
    try {
      readConfig({ DATA_DIR, ...env })
      return 'taken'
    } catch (error) {
      return error instanceof ConfigError ? error.message : 'broken'
    }
  }
  for (const password of ['se@gredo', '12/segredo', '12#segredo', '12?segredo', '50%segredo', 's/e@g#r:e%d?o'])
    for (const name of ['DATABASE_URL', 'DATABASE_READ_URL']) {
      const refusal = readRefusal({ [name]: `postgres://balcao:${password}@database:5432/balcao` })
      expect([
        password,
        refusal.includes(`${name} must`),
        refusal.includes('PGPASSWORD'),
        refusal.includes('gredo'),
      ]).toEqual([...[password, true, true, false]])
      const encoded = `postgres://balcao:${encodeURIComponent(password)}@database:5432/balcao?sslmode=require`
      expect(readConfig({ DATA_DIR, [name]: encoded })).toBeDefined()
    }
  expect(readRefusal({ DATABASE_URL: 'postgres://balcao:a:b@[::1]:5432/balcao' })).toBe('taken')
  expect(readRefusal({ PUBLIC_URL: 'https://https://desk.example.com' })).toContain('PUBLIC_URL')
  expect(readRefusal({ GOWA_URL: 'http://gateway:3000', GOWA_USER: 'a:b', GOWA_PASSWORD: 'x' })).toContain('GOWA_USER')
})

test('several hosts in one address are refused with the page that says what stands before them', async () => {
  const DATA_DIR = await dataDir()
  for (const name of ['DATABASE_URL', 'DATABASE_READ_URL'])
    for (const hosts of ['db-1,db-2', 'db-1:5432,db-2:5433', 'balcao:a,b@db-1,[::1]:5433', '[::1]:5432,'])
      expect(() => readConfig({ DATA_DIR, [name]: `postgres://${hosts}/balcao` })).toThrow(
        `${name} must name one host: what follows the primary of several stands before them, see docs/scaling.md`,
      )
  expect(readConfig({ DATA_DIR, DATABASE_URL: 'postgres://balcao:a,b@db-1/balcao?options=a,b' })).toBeDefined()
})

test('deploy/compose.yml puts nothing secret into an address: there @ / # : % would mean something else', async () => {
  const written = await Bun.file(join(import.meta.dir, '../../deploy/compose.yml')).text()
  const addresses = leaves(Bun.YAML.parse(written)).filter(value => value.includes('://'))
  expect(addresses).toContain('postgres://balcao@database:5432/balcao')
  expect(addresses.filter(address => /PASSWORD|SECRET|KEY|TOKEN/.test(address))).toEqual([])
})

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

test('a gateway is known with its user and where it reaches us, or not at all', async () => {
  const DATA_DIR = await dataDir()
  expect(readConfig({ DATA_DIR }).gowa).toBeNull()
  const env = { DATA_DIR, GOWA_URL: 'http://gateway:3000/', GOWA_USER: 'balcao', GOWA_PASSWORD: 'secret' }
  expect(readConfig(env).gowa).toMatchObject({ url: 'http://gateway:3000', webhookUrl: 'http://127.0.0.1:3000' })
  const behind = { ...env, PUBLIC_URL: 'https://mesa.example.com', GOWA_WEBHOOK_URL: 'http://10.0.0.5:3000' }
  expect(readConfig(behind).gowa?.webhookUrl).toBe('http://10.0.0.5:3000')
})

test('a bucket is known whole or not at all (decisions "files")', async () => {
  const DATA_DIR = await dataDir()
  expect(readConfig({ DATA_DIR }).s3).toBeNull()
  const env = { DATA_DIR, S3_BUCKET: 'arquivos', S3_ACCESS_KEY_ID: 'chave', S3_SECRET_ACCESS_KEY: 'segredo' }
  expect(readConfig({ ...env, S3_PREFIX: '/loja/centro/' }).s3).toMatchObject({
    region: 'us-east-1',
    prefix: 'loja/centro/',
  })
  expect(() => readConfig({ DATA_DIR, S3_BUCKET: 'arquivos' })).toThrow('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY')
})

test('secrets that are not given are made once and kept where only we may read', async () => {
  const DATA_DIR = await dataDir()
  const first = readConfig({ DATA_DIR })
  const second = readConfig({ DATA_DIR })
  expect(second.jwtSecret).toBe(first.jwtSecret)
  expect(first.jwtSecret.length).toBeGreaterThan(40)
  expect((await stat(join(DATA_DIR, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('servers that begin at once on an empty folder all work with the secrets that are kept there', async () => {
  const workers = Array.from({ length: 4 }, () => new Worker(join(import.meta.dir, 'secrets-worker.ts')))
  try {
    for (let round = 0; round < countRounds({ all: 200, few: 40 }); round++) {
      const folder = await dataDir()
      const arrived = new Int32Array(new SharedArrayBuffer(4))
      const answers = workers.map(worker => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
        worker.onerror = ({ message }) => reject(new Error(message))
        worker.postMessage({ folder, all: workers.length, arrived })
        return promise
      })
      const [dataKey, ...others] = await Promise.all(answers)
      expect(others).toEqual(others.map(() => dataKey ?? ''))
      expect(await Bun.file(join(folder, 'secrets.json')).json()).toEqual({ dataKey })
      expect(await readdir(folder)).toEqual(['secrets.json'])
    }
  } finally {
    for (const worker of workers) worker.terminate()
  }
})

test('a secret is made although whoever was making one has died', async () => {
  const DATA_DIR = await dataDir()
  await Bun.write(join(DATA_DIR, 'secrets.json.lock'), '')
  expect(readConfig({ DATA_DIR }).jwtSecret.length).toBeGreaterThan(40)
  expect(await readdir(DATA_DIR)).toEqual(['secrets.json'])
}, 30_000)

test('a secret of the environment wins and is not written down', async () => {
  const DATA_DIR = await dataDir()
  const secret = 'um segredo que veio de fora'
  expect(readConfig({ DATA_DIR, JWT_SECRET: secret }).jwtSecret).toBe(secret)
  expect(await Bun.file(join(DATA_DIR, 'secrets.json')).text()).not.toContain(secret)
})

test('backups go to a folder or to a bucket, never to both, and a bucket needs what opens it', async () => {
  const DATA_DIR = await dataDir()
  expect(readConfig({ DATA_DIR }).backup).toEqual({ to: null, s3: null, key: null, atMinute: 180, keepDays: 14 })
  expect(readConfig({ DATA_DIR, BACKUP_DIR: '/mnt/copies', BACKUP_AT: '22:30' }).backup).toMatchObject({
    to: { folder: '/mnt/copies' },
    atMinute: 1350,
  })
  const keys = { BACKUP_S3_ACCESS_KEY_ID: 'id', BACKUP_S3_SECRET_ACCESS_KEY: 'secret' }
  const { to } = readConfig({ DATA_DIR, ...keys, BACKUP_S3: 's3://copies/desk/' }).backup
  expect(to).toMatchObject({ s3: { bucket: 'copies', prefix: 'desk/', accessKeyId: 'id' } })
  for (const wrong of [
    { BACKUP_S3: 's3://copies' },
    { ...keys, BACKUP_S3: 'copies' },
    { ...keys, BACKUP_S3: 's3://copies', BACKUP_DIR: '/mnt/copies' },
    { BACKUP_AT: '3am' },
    { BACKUP_KEEP_DAYS: '0' },
    { BALCAO_BACKUP_KEY: 'short' },
  ])
    expect(() => readConfig({ DATA_DIR, ...wrong })).toThrow(ConfigError)
})

test('a server does not share the port of another one, and says so before it touches anything', async () => {
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response('other') })
  const home = await dataDir()
  try {
    const env = { PORT: String(other.port), HOST: '127.0.0.1', DATA_DIR: join(home, 'data') }
    const refused = await startServer({ env }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ConfigError)
    expect(String(refused)).toContain(`PORT ${other.port}`)
    expect(await readdir(join(home, 'data'))).toEqual(['secrets.json'])
    expect(await (await fetch(other.url)).text()).toBe('other')
  } finally {
    await other.stop(true)
  }
})
