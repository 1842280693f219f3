// A desk with two queues and three people, of which reports are asked.
import { beforeEach } from 'bun:test'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'
import { createReportClient } from './report-files.ts'

export async function startReportsDesk() {
  const server = await startDeskServer()
  const { db, config } = server
  const sql = db.$client
  const { ask, ended, made, fileOf, sheets } = createReportClient(server)
  const TODAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date())
  const PERIOD = { startDate: '2026-01-01', endDate: TODAY }
  const queues = { sales: await makeQueue(db, 'Vendas'), finance: await makeQueue(db, 'Financeiro') }
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  const people = {
    rafael: await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queues.sales, queues.finance] }),
    bruna: await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queues.sales, queues.finance] }),
  }
  const shop = await makeConnection(db, 'Loja Centro')
  await refreshCalendar(db, new Date())
  const marina = await server.as('Marina')
  const rafael = await server.as('Rafael')
  const bruna = await server.as('Bruna')

  beforeEach(async () => {
    for (const table of ['rating', 'message', 'protocol', 'ticket', 'contact', 'job', 'log_entry'])
      await sql`delete from ${sql(table)}`
    await sql`update "user" set profile = 'gerente', active = true where id = ${people.rafael}`
    await sql`delete from user_queue where user_id = ${people.rafael}`
    await sql`insert into user_queue (user_id, queue_id) select ${people.rafael}, unnest(${[queues.sales, queues.finance]}::int[])`
    await sql`delete from setting where key in ('hierarchy', 'onlyAdminSeeEmptyQueue')`
    clearSettingsCache(db)
  })

  return {
    server,
    db,
    config,
    sql,
    ask,
    ended,
    made,
    fileOf,
    sheets,
    TODAY,
    PERIOD,
    queues,
    people,
    shop,
    marina,
    rafael,
    bruna,
  }
}
