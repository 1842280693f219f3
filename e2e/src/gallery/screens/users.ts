// The team.
import type { Screen, ScreenContext } from '../stage.ts'
import {
  locateButton,
  makeEmptyScreen,
  makeFailedScreen,
  mockAnswer,
  openRowForm,
  performRowAction,
  waitForDialog,
} from '../steps.ts'

const LIST = /\/users\/?\?(?!all)|\/users\/?$/
const ONE = 'Bruna'

export const USERS: readonly Screen[] = [
  {
    name: 'users',
    steps: async stage => {
      await mockAbsentPeople(stage)
      await stage.open('/users')
      await stage.page.getByText(ONE).first().waitFor()
    },
  },
  makeEmptyScreen('users-empty', { calls: LIST, rows: 'users', path: '/users', text: 'Ninguém na equipe ainda' }),
  makeFailedScreen('users-failed', { calls: LIST, path: '/users', text: 'Os usuários não carregaram' }),
  {
    name: 'user-add',
    steps: async stage => {
      await stage.open('/users')
      await locateButton(stage, 'Adicionar usuário').first().click()
      const box = await waitForDialog(stage)
      await box.getByLabel('Senha', { exact: true }).fill('Farinha25')
    },
  },
  {
    name: 'user-edit',
    steps: async stage => {
      await openForm(stage)
      const box = await waitForDialog(stage)
      await box.getByLabel('Nova senha').fill('Farinha25')
    },
  },
  {
    name: 'user-substitutes',
    steps: async stage => {
      await openForm(stage)
      const box = await waitForDialog(stage)
      await box.getByRole('switch').click()
      await locateButton(stage, 'Adicionar substituição').click()
      await box.getByRole('list', { name: 'Quem substitui' }).getByRole('listitem').waitFor()
    },
  },
  {
    name: 'user-off',
    // What the form before it holds unsaved would be refused.
    fresh: true,
    steps: async stage => {
      await openForm(stage)
      const box = await waitForDialog(stage)
      await box.getByRole('switch').click()
      await locateButton(stage, 'Salvar').click()
      await locateButton(stage, 'Desativar').waitFor()
    },
  },
  {
    name: 'user-transfer',
    steps: async stage => {
      await openForm(stage)
      await locateButton(stage, 'Passar adiante').click()
      await stage.page.getByText('Quem recebe', { exact: false }).first().waitFor()
    },
  },
  { name: 'user-remove', steps: openRowForm('/users', ONE, 'Excluir') },
  {
    name: 'user-reset',
    steps: async stage => {
      await mockAnswer(stage, /\/users\/reset\//, () => ({ password: 'KRMabcde-2345' }))
      await openForm(stage)
      await locateButton(stage, 'Redefinir senha').first().click()
      await locateButton(stage, 'Redefinir senha').last().click()
      await locateButton(stage, 'Pronto').waitFor()
    },
  },
  {
    name: 'user-picture',
    steps: async stage => {
      await openForm(stage)
      const picture = await stage.page.screenshot()
      const file = { name: 'foto.png', mimeType: 'image/png', buffer: picture }
      await stage.page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
      await locateButton(stage, 'Usar esta foto').waitFor()
    },
  },
  {
    name: 'users-import',
    steps: async stage => {
      await stage.open('/users')
      await stage.page.getByText(ONE).first().waitFor()
      await locateButton(stage, 'Planilhas').click()
      await stage.page.getByRole('menuitem', { name: 'Importar usuários' }).click()
      const box = await waitForDialog(stage)
      const buffer = Buffer.from(SHEET)
      await box.locator('input[type=file]').setInputFiles({ name: 'equipe.csv', mimeType: 'text/csv', buffer })
      await box.getByText('O que é a coluna').first().or(box.getByText('Novos')).first().waitFor()
    },
  },
]

const SHEET = `nome;email;senha;perfil;filas;ativo;inicio;fim
Caio Mendes;caio@saojose.example;;atendente;Financeiro;sim;08:00;18:00
Denise Rocha;denise@saojose.example;;gerente;Comercial, Suporte;sim;08:00;18:00
Everton;everton;;atendente;Estoque;sim;24:00;18:00
`

/** The form of somebody who serves customers: four in one queue, two in another. */
async function openForm(stage: ScreenContext) {
  await mockAnswer(stage, /\/users\/\d+$/, body => {
    const queueIds = Array.isArray(body.queueIds) ? body.queueIds : []
    return { ...body, liveTickets: queueIds.map((queueId, at) => ({ queueId, tickets: 4 - 2 * at })) }
  })
  await stage.open('/users')
  await performRowAction(stage, ONE, 'Editar')
  await (await waitForDialog(stage)).getByText('Quem é').waitFor()
}

/** One who is inactive, and one who asks to come in. */
async function mockAbsentPeople(stage: ScreenContext) {
  await mockAnswer(stage, LIST, body => {
    const users = Array.isArray(body.users) ? body.users : []
    const changed = users.map((user, at) =>
      at === 1 ? { ...user, active: false } : at === 2 ? { ...user, active: false, awaitingApproval: true } : user,
    )
    return { ...body, users: changed }
  })
}
