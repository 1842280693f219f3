// The environment, read and checked once.
import { createECDH } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Brand, createBrand, formatTaxId, validatePassword } from '@balcao/contract'
import packageOfTheHouse from '../../../package.json' with { type: 'json' }
import { ConfigError } from './config-error.ts'
import { type Networks, parseNetworks } from './http/addresses.ts'
import { findFaultText } from './http/texts.ts'
import { ensureSecrets } from './secrets.ts'

export interface Config {
  readonly version: string
  readonly port: number
  readonly host: string
  /** Where people reach the desk, without a slash at the end; null: derived from the request. */
  readonly publicUrl: string | null
  /** Null: the embedded server under `dataDir`. */
  readonly databaseUrl: string | null
  /** A copy of it from which figures are read; null: there is none. */
  readonly databaseReadUrl: string | null
  readonly dataDir: string
  /** The bucket that keeps files for good, in any store that speaks S3; null: the folder `media` of `dataDir` does. */
  readonly s3: {
    /** Undefined: Amazon's of the region. */
    readonly endpoint: string | undefined
    readonly region: string
    readonly bucket: string
    /** Before every key; empty or with a slash at the end. */
    readonly prefix: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  } | null
  readonly admin: { readonly email: string | null; readonly password: string | null }
  readonly company: string
  readonly product: string
  /** The colours that follow from PRIMARY_COLOR; null: the house's own. */
  readonly brand: Brand | null
  /** Null: a random one for each reset. */
  readonly resetPassword: string | null
  /** A Markdown file with one section (`## title`) for each version's notes; null: no notes. */
  readonly notesFile: string | null
  /** COMPANY_TAX_ID, 14 digits. */
  readonly taxId: string | null
  readonly licenseUrl: string | null
  readonly invoicesSecret: string | null
  readonly sharedSecret: string
  readonly dataKey: string
  readonly jwtSecret: string
  readonly whatsappWebUrl: string | null
  readonly graph: {
    readonly url: string
    readonly version: string
    readonly appSecret: string | null
    readonly verifyToken: string
  }
  /** Between two messages of mass and scheduled sends on one connection, a fifth more or less by chance. */
  readonly sendPaceMs: number
  /** How long a server that is asked to end goes on serving while it says that it is not ready. */
  readonly drainMs: number
  /** What a connection of the kind `wwebjs` may take with its browser before that is opened afresh. */
  readonly browserMemoryBytes: number
  /** The gateway of connections of the kind `meow`, and where it reaches us, both without a slash at the end; null: there is none. */
  readonly gowa: {
    readonly url: string
    readonly user: string
    readonly password: string
    readonly webhookUrl: string
  } | null
  readonly push: {
    /** VAPID, base64url; the private one is made at the first start. */
    readonly privateKey: string
    readonly publicKey: string
    /** Who a push service may turn to: an https address or mailto:. */
    readonly subject: string
    /** Origins of push services that are not on public https, as in tests. */
    readonly origins: readonly string[]
  }
  /** An OpenAI-compatible endpoint; null without AI_KEY: summaries, transcriptions and help with writing are off. */
  readonly ai: {
    readonly url: string
    readonly key: string
    readonly model: string
    readonly transcribeModel: string
    /** What a million tokens cost, read and written, in the currency of the bill; null: not told. */
    readonly prices: { readonly in: number; readonly out: number } | null
  } | null
  /** Hosts (`host` or `host:port`) that addresses given by administrators may name although they are not public. */
  readonly privateHosts: readonly string[]
  /** Where a backup is written every day, from which hour of the company's clock (minutes of the day), and for how many days it is kept. */
  readonly backup: {
    readonly to: { readonly folder: string } | { readonly s3: NonNullable<Config['s3']> } | null
    /** What opens a store of backups, whichever bucket is named; null: nothing does. */
    readonly s3: Omit<NonNullable<Config['s3']>, 'bucket' | 'prefix'> | null
    readonly key: string | null
    readonly atMinute: number
    readonly keepDays: number
  }
  /** The bytes of the largest dump of another desk that is taken. */
  readonly moveInMostBytes: number
  readonly supportUrl: string | null
  readonly financeUrl: string | null
  /** Proxies on other machines whose word on where a request comes from is taken. */
  readonly trustedProxies: Networks
  /** Who may see /metrics and the details of /ready: who brings the token, or asks from one of the addresses. */
  readonly operators: { readonly token: string | null; readonly from: Networks }
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment Throws `ConfigError` with every problem at once. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const text = (name: string): string | null => env[name]?.trim() || null
  const url = (name: string, schemes: readonly string[]): string | null => {
    const value = text(name)
    if (value === null) return null
    if (URL.canParse(value) && schemes.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
    problems.push(`${name} must be an address with ${schemes.join(' or ')}`)
    return null
  }
  const port = Number(text('PORT') ?? '3000')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('PORT must be a number from 0 to 65535')
  const logLevel = LEVELS.find(level => level === (text('LOG_LEVEL') ?? 'info'))
  if (!logLevel) problems.push(`LOG_LEVEL must be one of ${LEVELS.join(', ')}`)
  const sendPaceMs = Number(text('SEND_PACE_SECONDS') ?? '15') * 1000
  if (!(sendPaceMs > 0)) problems.push('SEND_PACE_SECONDS must be a number above 0')
  const drainMs = Number(text('DRAIN_SECONDS') ?? '0') * 1000
  if (!(drainMs >= 0 && drainMs <= 15_000)) problems.push('DRAIN_SECONDS must be a number from 0 to 15')
  const browserMemoryMb = Number(text('WWEBJS_MEMORY_MB') ?? '1200')
  if (!(browserMemoryMb >= 200)) problems.push('WWEBJS_MEMORY_MB must be a number of megabytes from 200 on')
  const moveInMostGb = Number(text('MOVE_IN_MAX_GB') ?? '20')
  if (!(moveInMostGb > 0)) problems.push('MOVE_IN_MAX_GB must be a number of gigabytes above 0')
  const backupAt = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text('BACKUP_AT') ?? '03:00')
  if (!backupAt) problems.push('BACKUP_AT must be a time such as 03:00')
  const backupKeepDays = Number(text('BACKUP_KEEP_DAYS') ?? '14')
  if (!(backupKeepDays >= 1)) problems.push('BACKUP_KEEP_DAYS must be a number of days from 1 on')
  const backupKey = text('BALCAO_BACKUP_KEY')
  if (backupKey !== null && backupKey.length < 16) problems.push('BALCAO_BACKUP_KEY must have at least 16 characters')
  const email = text('ADMIN_EMAIL')
  if (email !== null && !/^\S+@\S+$/.test(email)) problems.push('ADMIN_EMAIL must be an e-mail address')
  for (const name of ['SHARED_SECRET', 'DATA_KEY', 'JWT_SECRET']) {
    const value = text(name)
    if (value !== null && value.length < 16) problems.push(`${name} must have at least 16 characters`)
  }
  const rest = {
    publicUrl: parseOrigin(url('PUBLIC_URL', HTTP), problems),
    databaseUrl: parseDatabaseUrl('DATABASE_URL', text('DATABASE_URL'), problems),
    databaseReadUrl: parseDatabaseUrl('DATABASE_READ_URL', text('DATABASE_READ_URL'), problems),
    whatsappWebUrl: url('WHATSAPP_WEB_URL', ['ws:', 'wss:']),
    graphUrl: url('GRAPH_URL', HTTP) ?? 'https://graph.facebook.com',
    gowaUrl: url('GOWA_URL', HTTP),
    gowaWebhookUrl: url('GOWA_WEBHOOK_URL', HTTP),
    aiUrl: url('AI_URL', HTTP) ?? 'https://api.openai.com/v1',
    supportUrl: url('SUPPORT_URL', HTTP),
    financeUrl: url('INVOICES_URL', HTTP),
  }
  const color = text('PRIMARY_COLOR')
  const brand = color === null ? null : createBrand(color)
  if (brand && 'problem' in brand) problems.push(`PRIMARY_COLOR ${brand.problem}`)
  const taxId = text('COMPANY_TAX_ID')?.replace(/\D/g, '') ?? null
  if (taxId !== null && formatTaxId(taxId) === null) problems.push('COMPANY_TAX_ID must have 14 digits')
  const licenseUrl = url('LICENSE_URL', HTTP)
  if (licenseUrl !== null && taxId === null) problems.push('LICENSE_URL needs COMPANY_TAX_ID')
  const resetPassword = text('DEFAULT_RESET_PASSWORD')
  const weak = resetPassword === null ? null : validatePassword(resetPassword)
  if (weak !== null) problems.push(`DEFAULT_RESET_PASSWORD breaks the password policy: ${findFaultText(weak, 'en')}`)
  const notesFile = text('NOTES_FILE')
  if (notesFile !== null && !existsSync(notesFile)) problems.push(`NOTES_FILE names ${notesFile}, which is not there`)
  const [gowaUser, gowaPassword] = [text('GOWA_USER'), text('GOWA_PASSWORD')]
  if (rest.gowaUrl !== null && (gowaUser === null || gowaPassword === null))
    problems.push('GOWA_URL needs GOWA_USER and GOWA_PASSWORD')
  if (gowaUser?.includes(':')) problems.push('GOWA_USER must be without a colon: behind one the password begins')
  const s3 = readBucket(text, url('S3_ENDPOINT', HTTP), problems)
  const backupStore = readBackupBucket(text, url('BACKUP_S3_ENDPOINT', HTTP), s3)
  const backupTo = readBackupTarget(text, backupStore, problems)
  const aiKey = text('AI_KEY')
  const aiPrices = readPrices(text('AI_PRICES'), problems)
  const graphVersion = text('GRAPH_VERSION') ?? 'v26.0'
  if (!/^v\d+\.\d+$/.test(graphVersion)) problems.push('GRAPH_VERSION must look like v26.0')
  const pushOrigins = (text('PUSH_ORIGINS') ?? '').split(',').filter(origin => origin !== '')
  for (const origin of pushOrigins)
    if (!URL.canParse(origin)) problems.push(`PUSH_ORIGINS names ${origin}, which is no address`)
  const networks = (name: string): Networks => {
    const entries = (text(name) ?? '').split(/[\s,]+/).filter(each => each !== '')
    const { networks: found, wrong } = parseNetworks(entries)
    for (const each of wrong)
      problems.push(`${name} names ${each}, which is no address and no network such as 10.0.0.0/8`)
    return found
  }
  const trustedProxies = networks('TRUSTED_PROXIES')
  const operators = { token: text('METRICS_TOKEN'), from: networks('METRICS_FROM') }
  if (operators.token !== null && operators.token.length < 16)
    problems.push('METRICS_TOKEN must have at least 16 characters')
  const vapid = text('VAPID_PRIVATE_KEY')
  if (vapid !== null && derivePublicKey(vapid) === null)
    problems.push('VAPID_PRIVATE_KEY must be a P-256 private key: 32 bytes in base64url')
  if (problems.length > 0 || !logLevel) throw new ConfigError(problems)

  const dataDir = resolveDataDir(env)
  const secrets = ensureSecrets(dataDir, {
    sharedSecret: text('SHARED_SECRET'),
    dataKey: text('DATA_KEY'),
    jwtSecret: text('JWT_SECRET'),
    verifyToken: text('GRAPH_VERIFY_TOKEN'),
    vapidPrivateKey: vapid,
  })
  return {
    version: packageOfTheHouse.version,
    port,
    host: text('HOST') ?? '127.0.0.1',
    publicUrl: rest.publicUrl,
    databaseUrl: rest.databaseUrl,
    databaseReadUrl: rest.databaseReadUrl,
    dataDir,
    s3,
    admin: { email, password: text('ADMIN_PASSWORD') },
    company: text('COMPANY_NAME') ?? 'Balcão',
    product: text('PRODUCT_NAME') ?? 'Balcão',
    brand: brand && 'problem' in brand ? null : brand,
    resetPassword,
    notesFile,
    taxId,
    licenseUrl,
    invoicesSecret: text('INVOICES_SECRET'),
    sharedSecret: secrets.sharedSecret,
    dataKey: secrets.dataKey,
    jwtSecret: secrets.jwtSecret,
    whatsappWebUrl: rest.whatsappWebUrl,
    graph: {
      url: rest.graphUrl,
      version: graphVersion,
      appSecret: text('GRAPH_APP_SECRET'),
      verifyToken: secrets.verifyToken,
    },
    sendPaceMs,
    drainMs,
    browserMemoryBytes: browserMemoryMb * 1024 * 1024,
    gowa:
      rest.gowaUrl === null || gowaUser === null || gowaPassword === null
        ? null
        : {
            url: rest.gowaUrl,
            user: gowaUser,
            password: gowaPassword,
            webhookUrl: rest.gowaWebhookUrl ?? rest.publicUrl ?? `http://127.0.0.1:${port}`,
          },
    push: {
      privateKey: secrets.vapidPrivateKey,
      publicKey: derivePublicKey(secrets.vapidPrivateKey) ?? '',
      subject: rest.publicUrl?.startsWith('https:') ? rest.publicUrl : `mailto:${email ?? 'push@balcao.invalid'}`,
      origins: pushOrigins.map(origin => new URL(origin).origin),
    },
    ai: aiKey
      ? {
          url: rest.aiUrl,
          key: aiKey,
          model: text('AI_MODEL') ?? 'gpt-4o-mini',
          transcribeModel: text('AI_TRANSCRIBE_MODEL') ?? 'whisper-1',
          prices: aiPrices,
        }
      : null,
    privateHosts: (text('ALLOW_PRIVATE_HOSTS') ?? '').split(/[\s,]+/).filter(host => host !== ''),
    backup: {
      to: backupTo,
      s3: backupStore,
      key: backupKey,
      atMinute: Number(backupAt?.[1] ?? 3) * 60 + Number(backupAt?.[2] ?? 0),
      keepDays: backupKeepDays,
    },
    moveInMostBytes: Math.floor(moveInMostGb * 1024 ** 3),
    supportUrl: rest.supportUrl,
    financeUrl: rest.financeUrl,
    trustedProxies,
    operators,
    logLevel,
  }
}

/** The folder of files, secrets and the embedded database. */
export function resolveDataDir(env: Environment): string {
  return resolve(env.DATA_DIR?.trim() || '.data')
}

const HTTP = ['http:', 'https:'] as const

/** `0.15/0.60`: what a million tokens cost that are read, and that are written. */
function readPrices(value: string | null, problems: string[]): { in: number; out: number } | null {
  if (value === null) return null
  const found = /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(value)
  if (!found) problems.push('AI_PRICES must look like 0.15/0.60: a million tokens read, a million tokens written')
  return found ? { in: Number(found[1]), out: Number(found[2]) } : null
}

/**
 * An address of one host: what follows a primary stands before it. A password as it was thought of, `p@ss/word#1`, makes another address of it,
 * which some driver may even take for one: it is refused, and never told.
 */
function parseDatabaseUrl(name: string, input: string | null, problems: string[]): string | null {
  if (input === null) return null
  const isEncoded =
    /^[a-z]+:\/\/[^@/?#]*@?[^@/?#]*(\/[^@#]*)?(\?[^@#]*)?$/.test(input) && !/%(?![\da-f]{2})/i.test(input)
  const [, hosts = ''] = /^[a-z]+:\/\/(?:[^@/?#]*@)?([^@/?#]*)/i.exec(input) ?? []
  if (isEncoded && hosts.includes(',')) {
    problems.push(
      `${name} must name one host: what follows the primary of several stands before them, see docs/scaling.md`,
    )
    return null
  }
  if (isEncoded && URL.canParse(input) && /^postgres(ql)?:$/.test(new URL(input).protocol)) return input
  const or = 'or left out of it: then the password stands in PGPASSWORD as it is'
  problems.push(
    `${name} must be an address with postgres: or postgresql:, @ / ? # % of a password in it written as %40 %2F %3F %23 %25, ${or}`,
  )
  return null
}

/** `https://https://desk` is an address too, of a host called https. */
function parseOrigin(url: string | null, problems: string[]): string | null {
  if (url !== null && /\/\/.*\/\/|[?#@]/.test(url)) problems.push('PUBLIC_URL must look like https://desk.example.com')
  return url
}

/** The bucket of S3_*: whole, or none. */
function readBucket(text: (name: string) => string | null, endpoint: string | null, problems: string[]): Config['s3'] {
  const values = {
    S3_BUCKET: text('S3_BUCKET'),
    S3_ACCESS_KEY_ID: text('S3_ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: text('S3_SECRET_ACCESS_KEY'),
  }
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (bucket === null || accessKeyId === null || secretAccessKey === null) {
    const missing = Object.entries(values).flatMap(([name, value]) => (value === null ? [name] : []))
    if (missing.length < 3 || endpoint !== null)
      problems.push(`S3_ENDPOINT and the others of S3 need ${missing.join(', ')} too`)
    return null
  }
  const prefix = (text('S3_PREFIX') ?? '').replace(/^\/+|\/+$/g, '')
  return {
    endpoint: endpoint ?? undefined,
    region: text('S3_REGION') ?? 'us-east-1',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    accessKeyId,
    secretAccessKey,
  }
}

type Store = Config['backup']['s3']

/** The store of backups: by BACKUP_S3_*, and what they leave out as that of the files. */
function readBackupBucket(text: (name: string) => string | null, endpoint: string | null, files: Config['s3']): Store {
  const accessKeyId = text('BACKUP_S3_ACCESS_KEY_ID') ?? files?.accessKeyId
  const secretAccessKey = text('BACKUP_S3_SECRET_ACCESS_KEY') ?? files?.secretAccessKey
  if (accessKeyId === undefined || secretAccessKey === undefined) return null
  const region = text('BACKUP_S3_REGION') ?? files?.region ?? 'us-east-1'
  return { endpoint: endpoint ?? files?.endpoint, region, accessKeyId, secretAccessKey }
}

/** A folder or a bucket, or nowhere. */
function readBackupTarget(
  text: (name: string) => string | null,
  store: Store,
  problems: string[],
): Config['backup']['to'] {
  const [folder, address] = [text('BACKUP_DIR'), text('BACKUP_S3')]
  if (folder !== null && address !== null) problems.push('BACKUP_DIR and BACKUP_S3: only one of them')
  if (address === null) return folder === null ? null : { folder: resolve(folder) }
  const [, bucket, path = ''] = /^s3:\/\/([^/\s]+)(?:\/(.*))?$/.exec(address) ?? []
  if (bucket === undefined) problems.push('BACKUP_S3 must look like s3://bucket/folder')
  if (store === null)
    problems.push('BACKUP_S3 needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, or those of the files')
  if (bucket === undefined || store === null) return null
  const prefix = path.replace(/^\/+|\/+$/g, '')
  return { s3: { ...store, bucket, prefix: prefix === '' ? '' : `${prefix}/` } }
}

/** The public key of a VAPID private key, or null when that is none. Any 32 bytes but one in four thousand million are one. */
function derivePublicKey(privateKey: string): string | null {
  try {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return pair.getPublicKey('base64url')
  } catch {
    return null
  }
}
