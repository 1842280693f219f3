// What the database reads for a request: a way to it that notes each statement that was run for people, with the rows and blocks it read, as
// `auto_explain` tells them.
import { connect, createServer } from 'node:net'
import postgres from 'postgres'
import { countRowsRead, listPlanNodes, type PlanNode } from './recorded-plans.ts'

export interface ReadStatement {
  readonly text: string
  /** Rows looked at, those that were thrown away too. */
  readonly rows: number
  readonly blocks: number
  /** How often an index was gone down. */
  readonly descents: number
}

export interface ReadMeter {
  /** The address of the same database through the meter. */
  readonly url: string
  readonly statements: readonly ReadStatement[]
  clear(): void
  stop(): void
}

/** Has the database tell its plans to everybody, and begins to listen. */
export async function startReadMeter(url: string): Promise<ReadMeter> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const name = new URL(url).pathname.slice(1)
  for (const [setting, value] of Object.entries(TELLING))
    await sql.unsafe(`alter database ${name} set ${setting} = '${value}'`)
  await sql.end()

  const { hostname, port } = new URL(url)
  let statements: ReadStatement[] = []
  const server = createServer(socket => {
    const database = connect(Number(port), hostname)
    let isOfPeople = false
    socket.once('data', (first: Buffer) => {
      isOfPeople = first.includes('balcao-web')
    })
    const read = splitMessages(text => {
      const plan = isOfPeople ? parsePlan(text) : null
      if (plan) statements.push(plan)
    })
    database.on('data', read)
    socket.pipe(database).pipe(socket)
    socket.on('error', () => database.destroy())
    database.on('error', () => socket.destroy())
    socket.on('close', () => database.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: through.href,
    get statements() {
      return statements
    },
    clear() {
      statements = []
    },
    stop: () => void server.close(),
  }
}

const TELLING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** Puts the stream of the protocol together again, and hands on what stands in its notices (`N`): a byte, a length, the fields. */
function splitMessages(notice: (text: string) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return part => {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part])
    let at = 0
    while (rest.length - at >= HEADER) {
      const end = at + 1 + rest.readInt32BE(at + 1)
      if (end > rest.length) break
      if (rest[at] === NOTICE) notice(rest.toString('utf8', at + HEADER, end))
      at = end
    }
    rest = rest.subarray(at)
  }
}

const HEADER = 5
const NOTICE = 'N'.charCodeAt(0)

type MeasuredNode = PlanNode & { 'Shared Hit Blocks'?: number; 'Shared Read Blocks'?: number }

function parsePlan(notice: string): ReadStatement | null {
  const message = notice.split('\0').find(field => field.startsWith('M') && field.includes('plan:'))
  if (!message) return null
  const explained: { 'Query Text': string; Plan: MeasuredNode } = JSON.parse(message.slice(message.indexOf('{')))
  const nodes = listPlanNodes(explained.Plan)
  const scans = nodes.filter(node => node['Relation Name'] !== undefined)
  const searches = nodes.filter(node => node['Index Name'] !== undefined)
  return {
    text: explained['Query Text'].replaceAll(/\s+/g, ' ').trim(),
    rows: sum(scans.map(countRowsRead)),
    blocks: (explained.Plan['Shared Hit Blocks'] ?? 0) + (explained.Plan['Shared Read Blocks'] ?? 0),
    descents: sum(searches.map(node => node['Actual Loops'] ?? 0)),
  }
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, each) => all + each, 0)
}
