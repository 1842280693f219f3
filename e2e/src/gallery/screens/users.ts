// The team.
import type { Screen, Stage } from '../stage.ts'
import { answer, button, dialog, fail } from '../steps.ts'
import { rowAction } from './queues.ts'

const LIST = /\/users\/?\?(?!all)|\/users\/?$/
const ONE = 'Bruna'

export const USERS: readonly Screen[] = [
  {
    name: 'users',
    fresh: true,
    steps: async stage => {
      await someAway(stage)
      await stage.open('/users')
      await stage.page.getByText(ONE).first().waitFor()
    },
  },
  {
    name: 'users-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, LIST, () => ({ users: [], count: 0, hasMore: false, nextCursor: null }))
      await stage.open('/users')
      await stage.page.getByText('Ninguém na equipe ainda').waitFor()
    },
  },
  {
    name: 'users-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, LIST)
      await stage.open('/users')
      await stage.page.getByText('Os usuários não carregaram').waitFor()
    },
  },
  {
    name: 'user-add',
    steps: async stage => {
      await stage.open('/users')
      await button(stage, 'Adicionar usuário').first().click()
      const box = await dialog(stage)
      await box.getByLabel('Senha', { exact: true }).fill('Farinha25')
    },
  },
  {
    name: 'user-edit',
    fresh: true,
    steps: async stage => {
      await opened(stage)
      const box = await dialog(stage)
      await box.getByLabel('Nova senha').fill('Farinha25')
    },
  },
  {
    name: 'user-substitutes',
    fresh: true,
    steps: async stage => {
      await opened(stage)
      const box = await dialog(stage)
      await box.getByRole('switch').click()
      await button(stage, 'Adicionar substituição').click()
      await box.getByRole('list', { name: 'Quem substitui' }).getByRole('listitem').waitFor()
    },
  },
  {
    name: 'user-off',
    fresh: true,
    steps: async stage => {
      await opened(stage)
      const box = await dialog(stage)
      await box.getByRole('switch').click()
      await button(stage, 'Salvar').click()
      await button(stage, 'Desativar').waitFor()
    },
  },
  {
    name: 'user-transfer',
    fresh: true,
    steps: async stage => {
      await opened(stage)
      await button(stage, 'Passar adiante').click()
      await stage.page.getByText('Quem recebe', { exact: false }).first().waitFor()
    },
  },
  {
    name: 'user-remove',
    steps: async stage => {
      await stage.open('/users')
      await rowAction(stage, ONE, 'Excluir')
      await dialog(stage)
    },
  },
  {
    name: 'user-reset',
    fresh: true,
    steps: async stage => {
      await answer(stage, /\/users\/reset\//, () => ({ password: 'KRMabcde-2345' }))
      await opened(stage)
      await button(stage, 'Redefinir senha').first().click()
      await button(stage, 'Redefinir senha').last().click()
      await button(stage, 'Pronto').waitFor()
    },
  },
  {
    name: 'user-picture',
    fresh: true,
    steps: async stage => {
      await opened(stage)
      const picture = await stage.page.screenshot()
      const file = { name: 'foto.png', mimeType: 'image/png', buffer: picture }
      await stage.page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
      await button(stage, 'Usar esta foto').waitFor()
    },
  },
  {
    name: 'users-import',
    fresh: true,
    steps: async stage => {
      await stage.open('/users')
      await stage.page.getByText(ONE).first().waitFor()
      await button(stage, 'Planilhas').click()
      await stage.page.getByRole('menuitem', { name: 'Importar usuários' }).click()
      const box = await dialog(stage)
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
async function opened(stage: Stage) {
  await answer(stage, /\/users\/\d+$/, body => {
    const queueIds = Array.isArray(body.queueIds) ? body.queueIds : []
    return { ...body, liveTickets: queueIds.map((queueId, at) => ({ queueId, tickets: 4 - 2 * at })) }
  })
  await stage.open('/users')
  await rowAction(stage, ONE, 'Editar')
  await (await dialog(stage)).getByText('Quem é').waitFor()
}

/** One who is inactive, and one who asks to come in. */
async function someAway(stage: Stage) {
  await answer(stage, LIST, body => {
    const users = Array.isArray(body.users) ? body.users : []
    const changed = users.map((user, at) =>
      at === 1 ? { ...user, active: false } : at === 2 ? { ...user, active: false, awaitingApproval: true } : user,
    )
    return { ...body, users: changed }
  })
}
