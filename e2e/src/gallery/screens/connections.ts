// The connections to WhatsApp.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, makeEmptyScreen, makeFailedScreen, showPage, waitForDialog } from '../steps.ts'

export const CONNECTIONS: readonly Screen[] = [
  { name: 'connections', steps: showPage('/connections', 'Loja Centro') },
  makeEmptyScreen('connections-empty', {
    calls: /\/whatsapp(\/)?(\?|$)/,
    path: '/connections',
    text: 'Nenhuma conexão ainda',
  }),
  makeFailedScreen('connections-failed', {
    calls: /\/whatsapp(\/)?(\?|$)/,
    path: '/connections',
    text: 'As conexões não carregaram',
  }),
  {
    name: 'connection-add',
    steps: async stage => {
      await stage.open('/connections')
      await locateButton(stage, /^Adicionar/)
        .first()
        .click()
      await waitForDialog(stage)
      await locateButton(stage, 'Outras formas').click()
    },
  },
  {
    name: 'connection-greeting',
    steps: async stage => {
      await stage.open('/connections')
      await locateButton(stage, /^Adicionar/)
        .first()
        .click()
      await stage.page.getByLabel('Nome').fill('Loja Nova')
      await locateButton(stage, 'Continuar').click()
      await locateButton(stage, 'Continuar sem conectar').click()
      await stage.page.getByText(/^Experimente/).waitFor()
    },
    after: async stage => {
      await stage.sql`delete from whatsapp where name = 'Loja Nova'`
    },
  },
  {
    name: 'connection-menu',
    steps: async stage => {
      await stage.open('/connections')
      await locateButton(stage, 'Mais opções de Loja Centro').click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'connection-qr',
    steps: async stage => {
      await stage.open('/connections')
      await stage.page
        .getByRole('listitem')
        .filter({ hasText: 'Loja Centro' })
        .getByRole('button', { name: /QR code/ })
        .first()
        .click()
      await stage.page
        .getByRole('img', { name: /QR code para conectar/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'connection-doctor',
    steps: async stage => {
      await makeFallenConnection(stage)
      await stage.open('/connections')
      await locateButton(stage, /^Ver o que houve/)
        .first()
        .click()
      await stage.page.getByText('O que aconteceu').waitFor()
    },
    after: deleteConnection,
  },
  {
    name: 'connection-doctor-well',
    state: true,
    steps: async stage => {
      await makeGatewayConnection(stage)
      await stage.open('/connections')
      await locateButton(stage, 'Mais opções de Entregas').click()
      await stage.page.getByRole('menuitem', { name: 'Ver como está' }).click()
      await stage.page.getByText('O que aconteceu').waitFor()
    },
    after: deleteConnection,
  },
  {
    name: 'connection-remove',
    state: true,
    steps: async stage => {
      await stage.open('/connections')
      await locateButton(stage, 'Mais opções de Oficial São José').click()
      await stage.page.getByRole('menuitem', { name: 'Excluir conexão' }).click()
      await stage.page.getByRole('button', { name: 'Excluir conexão' }).last().waitFor()
    },
  },
  {
    name: 'connection-news',
    steps: async stage => {
      const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
      const news = [
        { code: 'template_paused', about: 'boas_vindas_com_um_nome_muito_comprido', at: at(1) },
        { code: 'limit_raised', about: '10K', at: at(20) },
        { code: 'quality_low', at: at(30) },
      ]
      await stage.sql`update whatsapp set news = ${stage.sql.json(news)}, news_seen_at = ${at(10)} where name = 'Oficial São José'`
      await stage.open('/connections')
      await stage.page.getByText('boas_vindas').first().waitFor()
    },
    after: async ({ sql }) => {
      await sql`update whatsapp set news = '[]', news_seen_at = null where name = 'Oficial São José'`
    },
  },
  {
    name: 'connection-try-it',
    steps: async stage => {
      await stage.open('/connections')
      await locateButton(stage, 'Mais opções de Loja Centro').click()
      await stage.page.getByRole('menuitem', { name: 'Editar' }).click()
      await waitForDialog(stage)
      await stage.page.getByText('Experimente', { exact: true }).click()
      const words = stage.page.getByRole('textbox', { name: 'Escreva como cliente' })
      await words.fill('Bom dia, vocês entregam hoje?')
      await words.press('Enter')
      await stage.page.getByText('Bom dia, vocês entregam hoje?').scrollIntoViewIfNeeded()
      await stage.page.getByRole('button', { name: 'Resolver' }).scrollIntoViewIfNeeded()
    },
  },
]

const WEEK = [
  ['qrcode', null, 168],
  ['CONNECTED', null, 167.9],
  ['DISCONNECTED', 'network', 101],
  ['CONNECTED', null, 100.6],
  ['DISCONNECTED', 'server', 28],
  ['OPENING', null, 27.99],
  ['CONNECTED', null, 27.98],
] as const

/** A week of a connection that fell a quarter of an hour ago. */
async function makeFallenConnection(stage: ScreenContext): Promise<void> {
  const id = await makeGatewayConnection(stage)
  const { sql } = stage
  const since = new Date(Date.now() - 14 * 60_000).toISOString()
  const nextTryAt = new Date(Date.now() + 600_000).toISOString()
  const trouble = { code: '428', reason: 'network', since, attempt: 3, nextTryAt, next: 'retry' }
  await sql`update whatsapp set status = 'DISCONNECTED', trouble = ${sql.json(trouble)}, battery = 11 where id = ${id}`
  await sql`update whatsapp_status set at = ${since} where id = (select max(id) from whatsapp_status where whatsapp_id = ${id})`
}

/** One behind a gateway that nobody runs. */
async function makeGatewayConnection({ sql }: ScreenContext): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, wanted, status, battery, number, last_message_at)
    values ('Entregas', 'meow', false, 'CONNECTED', 82, '553132224015', now() - interval '15 minutes') returning id`
  const id = row?.id ?? 0
  await sql`delete from whatsapp_status where whatsapp_id = ${id}`
  for (const [status, reason, hours] of WEEK)
    await sql`insert into whatsapp_status (whatsapp_id, status, reason, at)
      values (${id}, ${status}, ${reason}, now() - ${hours} * interval '1 hour')`
  return id
}

async function deleteConnection({ sql }: ScreenContext): Promise<void> {
  await sql`update whatsapp set deleted_at = now() where name = 'Entregas'`
}
