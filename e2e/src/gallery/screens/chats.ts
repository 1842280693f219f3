// Chats within the team.
import type { Screen, Stage } from '../stage.ts'
import { button, desk, dialog } from '../steps.ts'

export const CHATS: readonly Screen[] = [
  { name: 'chat-direct', steps: stage => chat(stage, stage.made.chat.direct) },
  { name: 'chat-group', steps: stage => chat(stage, stage.made.chat.group) },
  {
    name: 'chat-new',
    steps: async stage => {
      await desk(stage, 'Interno')
      await button(stage, 'Nova conversa interna').first().click()
      await dialog(stage)
    },
  },
  {
    name: 'chat-new-group',
    state: true,
    steps: async stage => {
      await desk(stage, 'Interno')
      await button(stage, 'Nova conversa interna').first().click()
      const box = await dialog(stage)
      await box.getByText('Grupo', { exact: true }).click()
      await box.getByLabel('Nome do grupo').waitFor()
    },
  },
  {
    name: 'chat-participants',
    steps: async stage => {
      await chat(stage, stage.made.chat.group)
      await button(stage, 'Participantes').first().click()
      await button(stage, 'Editar participantes').waitFor()
    },
  },
  {
    name: 'chat-search',
    steps: async stage => {
      await chat(stage, stage.made.chat.group)
      await button(stage, 'Buscar mensagens').first().click()
      await dialog(stage)
    },
  },
  {
    name: 'chat-search-found',
    steps: async stage => {
      await chat(stage, stage.made.chat.group)
      await button(stage, 'Buscar mensagens').first().click()
      const box = await dialog(stage)
      await box.getByRole('searchbox').or(box.getByRole('textbox')).first().fill('caminhão')
      await box.locator('mark').first().waitFor()
    },
  },
]

async function chat(stage: Stage, id: number) {
  await stage.open(`/tickets/0/${id}`)
  await stage.page.getByRole('textbox', { name: /Mensagem para/ }).waitFor()
}
