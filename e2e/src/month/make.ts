// Lives the month in a database of its own and saves how the last seven days ended: `make.ts FILE [DAYS]`. A process of its own, because
// its clock is not that of others.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALWAYS_OPEN } from '@balcao/backend/app/seed/always-open'
import { seedCompany } from '@balcao/backend/app/seed/rows'
import { readConfig } from '@balcao/backend/platform/config'
import { closeDatabase, type openDatabase } from '@balcao/backend/platform/database/client'
import { ensurePostgres } from '@balcao/backend/platform/database/embedded'
import { migrate } from '@balcao/backend/platform/database/migrate'
import { getSql } from '@balcao/backend/platform/database/raw'
import { createLogger } from '@balcao/backend/platform/logger'
import { hashEmail } from '@balcao/backend/platform/seal'
import { makeJobTables } from '@balcao/backend/platform/worker/run'
import postgres from 'postgres'
import { installPastClock } from './clock.ts'
import { openPastDesk } from './desk.ts'
import { FIRST_DAY, liveMonth } from './live.ts'
import { readRows, type SavedMonth, saveMonths } from './save.ts'
import { TEAM } from './team.ts'

const DAY = 86_400_000
const WEEK = 7
/** The shortest month has so many days; with the days of the week there are six more. */
const SHORTEST = 30

const [file = '', days = String(SHORTEST + WEEK - 1)] = process.argv.slice(2)
const home = await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-month-'))
await chmod(home, 0o711)
const engine = await ensurePostgres({ dataDir: join(home, 'pg'), test: true })
try {
  await makeMonth(engine.url, file, Number(days))
} finally {
  await engine.stop()
  for (const each of [engine.folder, home]) await rm(each, { recursive: true, force: true })
}
process.exit(0)

async function makeMonth(url: string, file: string, days: number): Promise<void> {
  const dataDir = join(home, 'data')
  await mkdir(dataDir)
  const months: SavedMonth[] = []
  await migrate(url)
  await makeJobTables({ url, log: createLogger({ logLevel: 'silent' }) })
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const clock = await installPastClock(sql, FIRST_DAY)
  const desk = await openPastDesk(url, dataDir)
  const company = await seedPastCompany(desk.db, dataDir)
  await liveMonth({ desk, ...company }, clock, days, async day => {
    const end = new Date(FIRST_DAY + (day + 1) * DAY)
    if (day >= days - WEEK) months.push(await readRows(sql, end))
    console.log(`day ${day + 1} of ${days}`)
  })
  await saveMonths(file, months)
  await closeDatabase(desk.db)
  await sql.end()
}

/** The company on its first morning. Nobody signs in with a password here. */
async function seedPastCompany(db: ReturnType<typeof openDatabase>, dataDir: string) {
  const { dataKey } = readConfig({ DATA_DIR: dataDir })
  const people = TEAM.map(person => ({
    ...person,
    emailHash: hashEmail(dataKey, person.email),
    hash: crypto.randomUUID(),
  }))
  const settings = { ...ALWAYS_OPEN, generateProtocol: true, allowAgendador: true, dailyCap: 1000 }
  const cloud = { phoneNumberId: '0', wabaId: '0', token: 'none', number: '5531900000000' }
  const company = await db.transaction(tx => seedCompany(tx, people, dataKey, { settings, cloud }))
  await getSql(db)`
    update whatsapp set nps = true, nps_message = 'De 1 a 5, que nota você dá para este atendimento?',
      nps_tks_message = 'Obrigado pela sua nota, {{name}}!'`
  // A first answer within a quarter of an hour, of deliveries sooner; each other one within an hour.
  await getSql(db)`
    update queue set first_answer_minutes = case name when 'Entregas' then 10 else 15 end, answer_minutes = 60`
  return company
}
