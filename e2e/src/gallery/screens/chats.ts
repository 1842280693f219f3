// Chats within the team.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, openDeskTab, waitForDialog } from '../steps.ts'

export const CHATS: readonly Screen[] = [
  { name: 'chat-direct', steps: stage => openChat(stage, stage.made.chat.direct) },
  { name: 'chat-group', steps: stage => openChat(stage, stage.made.chat.group) },
  {
    name: 'chat-new',
    steps: async stage => {
      await openDeskTab(stage, 'Interno')
      await locateButton(stage, 'Nova conversa interna').first().click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'chat-new-group',
    state: true,
    steps: async stage => {
      await openDeskTab(stage, 'Interno')
      await locateButton(stage, 'Nova conversa interna').first().click()
      const box = await waitForDialog(stage)
      await box.getByText('Grupo', { exact: true }).click()
      await box.getByLabel('Nome do grupo').waitFor()
    },
  },
  {
    name: 'chat-participants',
    steps: async stage => {
      await openChat(stage, stage.made.chat.group)
      await locateButton(stage, 'Participantes').first().click()
      await locateButton(stage, 'Editar participantes').waitFor()
    },
  },
  {
    name: 'chat-search',
    steps: async stage => {
      await openChat(stage, stage.made.chat.group)
      await locateButton(stage, 'Buscar mensagens').first().click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'chat-search-found',
    steps: async stage => {
      await openChat(stage, stage.made.chat.group)
      await locateButton(stage, 'Buscar mensagens').first().click()
      const box = await waitForDialog(stage)
      await box.getByRole('searchbox').or(box.getByRole('textbox')).first().fill('caminhão')
      await box.locator('mark').first().waitFor()
    },
  },
]

async function openChat(stage: ScreenContext, id: number) {
  await stage.open(`/tickets/0/${id}`)
  await stage.page.getByRole('textbox', { name: /Mensagem para/ }).waitFor()
}
