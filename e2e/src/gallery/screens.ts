// Every screen, dialog and state, and how to get there. A new one is one entry; the gallery and the accessibility test both read this.
import type { Page } from 'playwright-core'
import type { Screen, Stage } from './stage.ts'

const LUCIA = 'Dona Lúcia Ferreira'

const SIGN_IN: readonly Screen[] = [
  { name: 'sign-in', as: 'nobody', steps: signInPage },
  {
    name: 'sign-in-missing',
    state: true,
    as: 'nobody',
    steps: async stage => {
      await signInPage(stage)
      await button(stage, 'Entrar').click()
      await stage.page.getByText('Preencha o e-mail e a senha.').waitFor()
    },
  },
  {
    name: 'sign-in-refused',
    state: true,
    as: 'nobody',
    steps: async stage => {
      await signInPage(stage)
      await stage.page.getByLabel('E-mail').fill('alguem@saojose.example')
      await stage.page.getByLabel('Senha', { exact: true }).fill('não é essa')
      await button(stage, 'Entrar').click()
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'sign-in-blocked',
    as: 'nobody',
    steps: async stage => {
      await answer(stage, '**/system', body => ({
        ...body,
        blocked: true,
        supportUrl: 'https://wa.me/553132224010',
        financeUrl: 'https://wa.me/553132224011',
      }))
      await signInPage(stage)
      await stage.page.getByText('SISTEMA BLOQUEADO').waitFor()
    },
  },
  {
    name: 'sign-up',
    as: 'nobody',
    steps: async stage => {
      await stage.api('PUT', '/settings/userCreation', { value: 'enabled' })
      await signInPage(stage)
      await button(stage, 'Criar uma conta').click()
      await dialog(stage)
    },
    after: stage => stage.api('PUT', '/settings/userCreation', { value: 'disabled' }),
  },
  {
    name: 'password-forced',
    as: 'nobody',
    steps: async stage => {
      const [user] = await stage.sql<{ id: number }[]>`select id from "user" where name like 'Bruna%'`
      const { password } = (await stage.api('POST', `/users/reset/${user?.id}`)) as { password: string }
      await signInPage(stage)
      await stage.page.getByLabel('E-mail').fill('bruna@saojose.example')
      await stage.page.getByLabel('Senha', { exact: true }).fill(password)
      await button(stage, 'Entrar').click()
      await stage.page.getByLabel('Senha provisória').waitFor()
    },
    after: stage => stage.made.letInAgain('Bruna'),
  },
]

const FRAME: readonly Screen[] = [
  {
    name: 'user-menu',
    steps: async stage => {
      await desk(stage)
      await openUserMenu(stage)
    },
  },
  {
    name: 'profile',
    steps: async stage => {
      await desk(stage)
      await fromUserMenu(stage, 'Meu perfil')
    },
  },
  {
    name: 'password',
    steps: async stage => {
      await desk(stage)
      await fromUserMenu(stage, 'Trocar senha')
    },
  },
  {
    name: 'palette',
    steps: async stage => {
      await conversation(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').waitFor()
    },
  },
  {
    name: 'palette-found',
    state: true,
    steps: async stage => {
      await desk(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('papelaria')
      await stage.page
        .getByRole('dialog')
        .getByRole('option', { name: /Papelaria Aurora/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'palette-nothing',
    state: true,
    steps: async stage => {
      await desk(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('xyzzy')
      await stage.page.getByText('Nada com “xyzzy”').waitFor()
    },
  },
  {
    name: 'help',
    steps: async stage => {
      await conversation(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('mostrar os atalhos')
      await stage.page.keyboard.press('Enter')
      await dialog(stage)
    },
  },
  {
    name: 'invoices',
    steps: async stage => {
      await desk(stage)
      await fromPalette(stage, 'Faturas')
      await dialog(stage)
    },
  },
  {
    name: 'menu-open',
    on: 'desk',
    steps: async stage => {
      await desk(stage)
      await stage.page.keyboard.press('Control+b')
      await stage.page.getByText('Administração', { exact: true }).first().waitFor()
    },
    after: stage => stage.page.keyboard.press('Control+b'),
  },
  {
    name: 'menu-more',
    on: 'phone',
    steps: async stage => {
      await desk(stage)
      await button(stage, 'Mais').click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'page-not-found',
    state: true,
    steps: async stage => {
      await stage.open('/nada')
      await stage.page.getByText('Esta página não existe').waitFor()
    },
  },
  {
    name: 'page-not-opened',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route('**/mfe/mfe_automation/**', route => route.abort())
      await stage.open('/quickAnswers')
      await stage.page.getByRole('alert').filter({ hasText: 'não abriu' }).waitFor()
    },
  },
]

const DESK: readonly Screen[] = [
  { name: 'desk', steps: desk },
  ...(['Pendentes', 'Grupos'] as const).map(
    (tab): Screen => ({ name: `desk-${tab.toLowerCase()}`, steps: stage => desk(stage, tab) }),
  ),
  ...(['Fechados', 'Pausados'] as const).map(
    (tab): Screen => ({ name: `desk-${tab.toLowerCase()}`, steps: stage => desk(stage, tab) }),
  ),
  {
    name: 'desk-interno',
    steps: async stage => {
      await desk(stage, 'Interno')
      await stage.page.getByText('Entregas de hoje').first().waitFor()
    },
  },
  { name: 'desk-of-agent', as: 'user', steps: stage => desk(stage, 'Pendentes') },
  {
    name: 'desk-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, /\/tickets\?/, () => ({ tickets: [], hasMore: false, count: 0, nextCursor: null }))
      await stage.open('/tickets')
      await stage.page.getByText('Nenhuma conversa com você').waitFor()
    },
  },
  {
    name: 'desk-nobody-waits',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, /\/tickets\?/, () => ({ tickets: [], hasMore: false, count: 0, nextCursor: null }))
      await stage.open('/tickets')
      await stage.page.getByRole('tab', { name: /Pendentes/ }).click()
      await stage.page.getByText('Ninguém esperando').waitFor()
    },
  },
  {
    name: 'desk-loading',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route(/\/tickets\?/, () => {})
      await stage.open('/tickets')
      await stage.page.locator('[aria-busy=true]').first().waitFor()
    },
  },
  {
    name: 'desk-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/tickets\?/)
      await stage.open('/tickets')
      await stage.page.getByText('As conversas não carregaram').waitFor()
    },
  },
  {
    name: 'desk-offline',
    fresh: true,
    steps: async stage => {
      await conversation(stage)
      await stage.context.setOffline(true)
      await stage.page.getByText('Sem internet.').first().waitFor()
    },
  },
  {
    name: 'desk-search',
    steps: async stage => {
      await desk(stage, 'Abertos')
      await stage.page.getByRole('searchbox').first().fill('padaria')
      await stage.page
        .getByRole('listbox', { name: 'Resultados da busca' })
        .getByText('Padaria Estrela')
        .first()
        .waitFor()
    },
  },
]

const CONVERSATION: readonly Screen[] = [
  { name: 'conversation', steps: stage => conversation(stage) },
  { name: 'conversation-pending', steps: stage => conversation(stage, 'Padaria Estrela') },
  { name: 'conversation-paused', steps: stage => conversation(stage, 'Açougue Dois Irmãos') },
  { name: 'conversation-closed', steps: stage => conversation(stage, 'Hotel Mirante') },
  { name: 'conversation-group', steps: stage => conversation(stage, 'Entregas zona norte') },
  { name: 'conversation-window-closed', steps: stage => conversation(stage, 'Restaurante Varandão') },
  { name: 'conversation-files', steps: stage => conversation(stage, 'Papelaria Aurora') },
  {
    name: 'conversation-files-above',
    state: true,
    steps: async stage => {
      await conversation(stage, 'Papelaria Aurora')
      await scrollUp(stage.page)
    },
  },
  { name: 'conversation-cards', steps: stage => conversation(stage, 'Papelaria Aurora Cartões') },
  {
    name: 'conversation-cards-above',
    state: true,
    steps: async stage => {
      await conversation(stage, 'Papelaria Aurora Cartões')
      await scrollUp(stage.page)
    },
  },
  { name: 'conversation-states', steps: stage => conversation(stage, 'Papelaria Aurora Estados') },
  {
    name: 'conversation-states-above',
    state: true,
    steps: async stage => {
      await conversation(stage, 'Papelaria Aurora Estados')
      await scrollUp(stage.page)
    },
  },
  { name: 'conversation-long', state: true, steps: stage => conversation(stage, 'Mercado Longo') },
  {
    name: 'conversation-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, /\/messages\/\d+(\?|$)/, () => ({
        messages: [],
        hasMore: false,
        count: 0,
        nextCursor: null,
        newerCursor: null,
      }))
      await conversation(stage)
      await stage.page.getByText('Diga olá ao seu novo contato!').waitFor()
    },
  },
  {
    name: 'conversation-loading',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route(/\/messages\/\d+/, () => {})
      await stage.open(`/tickets/${stage.made.ticket[LUCIA]}`)
      await stage.page.locator('.c-skeleton').waitFor()
    },
  },
  {
    name: 'conversation-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/messages\/\d+/)
      await stage.open(`/tickets/${stage.made.ticket[LUCIA]}`)
      await stage.page.getByText('As mensagens não carregaram').waitFor()
    },
  },
  {
    name: 'conversation-menu',
    steps: async stage => {
      await conversation(stage)
      await openActions(stage)
    },
  },
  {
    name: 'message-menu',
    steps: async stage => {
      await conversation(stage)
      await messageMenu(stage)
    },
  },
  {
    name: 'picture',
    steps: async stage => {
      await conversation(stage, 'Papelaria Aurora')
      await stage.page
        .getByRole('button', { name: /vitrine\.png|Ver (a )?(foto|imagem)|Abrir/ })
        .last()
        .click()
      await stage.page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'together',
    state: true,
    steps: async stage => {
      await conversation(stage)
      await stage.page.getByRole('button', { name: 'Rafael está olhando.' }).waitFor()
    },
  },
  {
    name: 'together-menu',
    steps: async stage => {
      await conversation(stage)
      await stage.page.getByRole('button', { name: 'Rafael está olhando.' }).click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'claim',
    fresh: true,
    steps: async stage => {
      await conversation(stage)
      await stage.made.colleague.begin('Pode ser na sexta')
      await stage.page.getByText('Rafael está respondendo.').first().waitFor()
      await stage.page.getByRole('textbox', { name: /Mensagem para/ }).fill('Pode sim, Dona Lúcia')
      await stage.page.keyboard.press('Enter')
      await stage.page.getByRole('button', { name: 'Enviar assim mesmo' }).waitFor()
    },
    after: stage => stage.made.colleague.begin(''),
  },
]

const COMPOSER: readonly Screen[] = [
  {
    name: 'composer-quick-answers',
    steps: async stage => {
      await conversation(stage)
      await write(stage, '/')
      await stage.page.getByText('boleto-prazo').first().waitFor()
    },
  },
  {
    name: 'composer-comment',
    steps: async stage => {
      await conversation(stage)
      await write(stage, '-- Rafael, posso tirar os juros?')
      await button(stage, 'Comentar').waitFor()
    },
  },
  {
    name: 'composer-lines',
    state: true,
    steps: async stage => {
      await conversation(stage)
      await write(
        stage,
        ['Bom dia, Dona Lúcia!', '', 'O boleto novo:', '- vence na sexta', '- sem juros', 'Até!'].join('\n'),
      )
    },
  },
  {
    name: 'composer-emojis',
    steps: async stage => {
      await conversation(stage)
      await button(stage, /Emoji|emoji/)
        .first()
        .click()
    },
  },
  {
    name: 'composer-files',
    fresh: true,
    steps: async stage => {
      await conversation(stage)
      await stage.page
        .locator('.k-composer input[type=file]')
        .first()
        .setInputFiles([
          {
            name: 'Tabela de preços.pdf',
            mimeType: 'application/pdf',
            buffer: Buffer.from('%PDF-1.4 tabela '.repeat(900)),
          },
          { name: 'fornada.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
        ])
      await stage.page.getByText('Tabela de pre', { exact: false }).first().waitFor()
    },
  },
  {
    name: 'composer-reply',
    steps: async stage => {
      await conversation(stage)
      await fromMessageMenu(stage, 'Responder')
    },
  },
]

const DIALOGS: readonly Screen[] = [
  {
    name: 'dialog-accept',
    steps: async stage => {
      await conversation(stage, 'Padaria Estrela')
      await button(stage, 'Aceitar').first().click()
      await dialog(stage)
    },
  },
  action('dialog-transfer', 'Transferir'),
  action('dialog-pause', 'Pausar'),
  action('dialog-why', /Quem vê/),
  action('dialog-delete-ticket', /Apagar|Excluir/),
  {
    name: 'dialog-why-answer',
    steps: async stage => {
      await conversation(stage)
      await fromActions(stage, /Quem vê/)
      const box = await dialog(stage)
      await box.locator('.p-dropdown').click()
      await stage.page.locator('.p-dropdown-item', { hasText: 'Bruna' }).click()
      await box.getByText(/Bruna Alves (não )?vê esta conversa/).waitFor()
    },
  },
  {
    name: 'dialog-delete-message',
    steps: async stage => {
      await conversation(stage)
      await messageMenu(stage, true)
      await stage.page.getByRole('menuitem', { name: /Apagar|Excluir/ }).click()
      await dialog(stage)
    },
  },
  { name: 'contact-drawer', steps: contactDrawer },
]

/** What opens over the desk: bells, new conversations, what one does to a message, a send for later. */
const OVER: readonly Screen[] = [
  bell('bell-tickets', /^Quem espera/),
  bell('bell-chats', /^Mensagens internas/),
  {
    name: 'dialog-new-conversation',
    steps: async stage => {
      await desk(stage)
      await button(stage, 'Nova conversa').first().click()
      await dialog(stage)
    },
  },
  messageDialog('dialog-forward', 'Encaminhar'),
  messageDialog('dialog-information', 'Informações'),
  action('dialog-schedule', /Agendar mensagem/),
  {
    name: 'drawer-participants',
    steps: async stage => {
      await conversation(stage, 'Entregas zona norte')
      await fromActions(stage, /Participantes/)
      await stage.page
        .getByRole('heading', { name: /Participantes/ })
        .first()
        .waitFor()
    },
  },
]

/** What answers a search, what several or the AI are asked for, what only some conversations have. */
const FURTHER: readonly Screen[] = [
  {
    name: 'find-in-conversation',
    steps: async stage => {
      await conversation(stage)
      await fromActions(stage, 'Buscar na conversa')
      const box = stage.page.getByRole('dialog', { name: 'Buscar nesta conversa' })
      await box.getByLabel('Texto da mensagem').fill('boleto')
      await box.locator('mark').first().waitFor()
    },
  },
  {
    name: 'find-nothing',
    state: true,
    steps: async stage => {
      await conversation(stage)
      await fromActions(stage, 'Buscar na conversa')
      const box = stage.page.getByRole('dialog', { name: 'Buscar nesta conversa' })
      await box.getByLabel('Texto da mensagem').fill('xyzzy')
      await box.getByText('Nenhuma mensagem foi encontrada').waitFor()
    },
  },
  {
    name: 'dialog-other-ticket',
    steps: async stage => {
      await desk(stage)
      await button(stage, 'Nova conversa').first().click()
      const form = stage.page.getByRole('dialog', { name: 'Nova conversa' })
      await form.getByLabel('Nome ou número do contato').fill('pizzaria')
      await form.getByRole('option', { name: /Pizzaria Nonna/ }).click()
      await choose(stage, 'Fila', 'Comercial')
      await choose(stage, 'Conexão', 'Loja Centro')
      await form.getByRole('button', { name: 'Iniciar conversa' }).click()
      await stage.page.getByRole('dialog', { name: /Já existe uma conversa/ }).waitFor()
    },
  },
  {
    name: 'bulk-bar',
    fresh: true,
    steps: async stage => {
      await desk(stage, 'Abertos')
      await stage.page.getByRole('option').first().waitFor()
      await stage.page.locator('body').press('x')
      await stage.page.keyboard.press('Shift+J')
      await stage.page.getByRole('region', { name: 'Conversas marcadas' }).getByText('2 marcadas').waitFor()
    },
  },
  {
    name: 'templates',
    steps: async stage => {
      await conversation(stage, 'Restaurante Varandão')
      await button(stage, 'Escolher modelo').last().click()
      await stage.page
        .getByRole('dialog')
        .getByRole('button', { name: /boleto_disponivel/ })
        .waitFor()
    },
  },
  {
    name: 'template-filled',
    state: true,
    steps: async stage => {
      await conversation(stage, 'Restaurante Varandão')
      await button(stage, 'Escolher modelo').last().click()
      const box = stage.page.getByRole('dialog')
      await box.getByRole('button', { name: /boleto_disponivel/ }).click()
      await box.getByRole('button', { name: 'Enviar modelo' }).waitFor()
    },
  },
  {
    name: 'recording',
    fresh: true,
    steps: async stage => {
      await stage.context.grantPermissions(['microphone'])
      await conversation(stage)
      await button(stage, 'Gravar áudio').click()
      await button(stage, 'Enviar áudio').and(stage.page.locator(':enabled')).waitFor()
      await button(stage, 'Pausar').last().click()
      await button(stage, 'Continuar gravando').waitFor()
    },
    after: stage => stage.context.clearPermissions(),
  },
  {
    name: 'dialog-opt-in',
    fresh: true,
    steps: async stage => {
      await stage.context.grantPermissions(['notifications'])
      await desk(stage)
      await fromUserMenu(stage, 'Avisos neste aparelho')
    },
    after: stage => stage.context.clearPermissions(),
  },
  {
    name: 'contact-edit',
    steps: async stage => {
      await contactDrawer(stage)
      await button(stage, 'Editar contato').first().click()
      await stage.page.getByRole('dialog', { name: 'Editar contato' }).getByLabel('Nome *').waitFor()
    },
  },
  {
    name: 'contact-files',
    steps: async stage => {
      await contactDrawer(stage)
      await button(stage, 'Ver tudo').first().click()
      await stage.page.getByRole('tabpanel', { name: 'Mídia' }).getByRole('button').first().waitFor()
    },
  },
  {
    name: 'dialog-contact-card',
    steps: async stage => {
      await conversation(stage)
      await button(stage, 'Contato, modelo e mais').click()
      await stage.page.getByRole('menuitem').first().click()
      const box = stage.page.getByRole('dialog', { name: 'Enviar contato' })
      await box.getByLabel('Nome ou número').fill('pad')
      await box.getByRole('button', { name: /Padaria Estrela/ }).waitFor()
    },
  },
  {
    name: 'dialog-summary',
    fresh: true,
    steps: async stage => {
      await withAi(stage)
      await conversation(stage)
      await fromActions(stage, 'Resumir com IA')
      await stage.page.getByRole('dialog').getByText('pagar na sexta').waitFor()
    },
  },
  {
    name: 'dialog-summary-writing',
    state: true,
    fresh: true,
    steps: async stage => {
      await withAi(stage)
      await stage.page.route(/\/tickets\/ai\/resume\//, () => {})
      await conversation(stage)
      await fromActions(stage, 'Resumir com IA')
      await stage.page.getByText('A IA está escrevendo o resumo').waitFor({ state: 'attached' })
    },
  },
  {
    name: 'transcript',
    state: true,
    steps: async stage => {
      await conversation(stage, 'Papelaria Aurora')
      await stage.page.getByText('Pode publicar sim, e marca').first().scrollIntoViewIfNeeded()
    },
  },
]

const CHATS: readonly Screen[] = [
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

const ADMIN: readonly Screen[] = [
  {
    name: 'connections',
    steps: async stage => {
      await stage.open('/connections')
      await stage.page.getByText('Loja Centro').first().waitFor()
    },
  },
  {
    name: 'connections-empty',
    state: true,
    fresh: true,
    steps: async stage => {
      await answer(stage, /\/whatsapp(\/)?(\?|$)/, () => [])
      await stage.open('/connections')
      await stage.page.getByText('Nenhuma conexão ainda').waitFor()
    },
  },
  {
    name: 'connections-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/whatsapp(\/)?(\?|$)/)
      await stage.open('/connections')
      await stage.page.getByText('As conexões não carregaram').waitFor()
    },
  },
  {
    name: 'connection-add',
    steps: async stage => {
      await stage.open('/connections')
      await button(stage, /^Adicionar/)
        .first()
        .click()
      await dialog(stage)
    },
  },
  {
    name: 'connection-menu',
    steps: async stage => {
      await stage.open('/connections')
      await button(stage, 'Mais opções de Loja Centro').click()
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
    name: 'quick-answers',
    steps: async stage => {
      await stage.open('/quickAnswers')
      await stage.page.getByText('boleto-prazo').first().waitFor()
    },
  },
  {
    name: 'quick-answer-add',
    steps: async stage => {
      await stage.open('/quickAnswers')
      await button(stage, /^(Nova|Adicionar)/)
        .first()
        .click()
      await dialog(stage)
    },
  },
  {
    name: 'quick-answers-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/quickAnswers\/?(\?|$)/)
      await stage.open('/quickAnswers')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'dashboard',
    steps: async stage => {
      await stage.open('/')
      await stage.page.getByText('Em atendimento').first().waitFor()
    },
  },
  {
    name: 'dashboard-failed',
    state: true,
    fresh: true,
    steps: async stage => {
      await fail(stage, /\/dashboard\/stats/)
      await stage.open('/')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
]

const PHONES: readonly Screen[] = [
  {
    name: 'phones-page',
    as: 'nobody',
    steps: async stage => {
      await stage.page.goto(`${stage.world.url}/simulator`)
      await stage.page.getByText('Celular da empresa').first().waitFor()
    },
  },
]

export const SCREENS: readonly Screen[] = [
  ...SIGN_IN,
  ...FRAME,
  ...DESK,
  ...CONVERSATION,
  ...COMPOSER,
  ...DIALOGS,
  ...OVER,
  ...FURTHER,
  ...CHATS,
  ...ADMIN,
  ...PHONES,
]

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function signInPage({ page, world }: Stage) {
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').waitFor()
}

/** The desk with a tab open; sub-tabs are under 'Abertos'. */
export async function desk(stage: Stage, tab?: string) {
  await stage.open('/tickets')
  await stage.page.getByRole('tab').first().waitFor()
  if (tab)
    await stage.page
      .getByRole('tab', { name: new RegExp(tab) })
      .first()
      .click()
  await stage.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** A conversation, its messages loaded. */
export async function conversation(stage: Stage, name = LUCIA) {
  await stage.open(`/tickets/${stage.made.ticket[name]}`)
  await stage.page.getByRole('region', { name: 'Mensagens' }).waitFor()
  await stage.page.locator('.m-bubble, .c-hello').last().waitFor()
}

async function contactDrawer(stage: Stage) {
  await conversation(stage)
  await stage.page.keyboard.press('Escape')
  const drawer = stage.page.getByText('Dados do contato').first()
  if (!(await drawer.isVisible())) await stage.page.getByTitle(`Dados de ${LUCIA}`).click()
  await drawer.waitFor()
}

/** As if a key for the AI were configured; what it writes is written here. */
async function withAi(stage: Stage) {
  const resume =
    'Dona Lúcia pediu a segunda via do boleto, que vence hoje, e perguntou se pode pagar na sexta sem juros.\n\nMarina enviou o boleto novo e o contrato. Falta responder sobre os juros.'
  await stage.page.route(/\/ai$/, route => route.fulfill({ json: { enabled: true } }))
  await stage.page.route(/\/tickets\/ai\/resume\//, route => route.fulfill({ json: { resume } }))
}

async function choose({ page }: Stage, label: string, option: string) {
  await page.getByRole('dialog').locator('.b-field').filter({ hasText: label }).locator('.p-dropdown').click()
  await page.locator('.p-dropdown-item', { hasText: option }).click()
}

export async function chat(stage: Stage, id: number) {
  await stage.open(`/tickets/0/${id}`)
  await stage.page.getByRole('textbox', { name: /Mensagem para/ }).waitFor()
}

/** A dialog behind an action on the ticket. */
function action(name: string, label: string | RegExp): Screen {
  return {
    name,
    steps: async stage => {
      await conversation(stage)
      await fromActions(stage, label)
      await dialog(stage)
    },
  }
}

function bell(name: string, label: RegExp): Screen {
  return {
    name,
    steps: async stage => {
      await desk(stage)
      await button(stage, label).first().click()
      await stage.page.locator('.s-bell').waitFor()
    },
  }
}

/** A dialog behind an entry of a message's menu. */
function messageDialog(name: string, label: string): Screen {
  return {
    name,
    steps: async stage => {
      await conversation(stage)
      await fromMessageMenu(stage, label)
      await dialog(stage)
    },
  }
}

/** Performs an action on the ticket by its button, or by the menu where it has none. */
export async function fromActions(stage: Stage, label: string | RegExp) {
  const direct = stage.page.locator('.c-header').getByRole('button', { name: label })
  if (await direct.first().isVisible()) return direct.first().click()
  await openActions(stage)
  await stage.page.getByRole('menuitem', { name: label }).first().click()
}

async function openActions(stage: Stage) {
  await stage.page.locator('.c-header').getByRole('button', { name: 'Mais ações' }).click()
  await stage.page.getByRole('menu').waitFor()
}

/** The menu of the last message of the conversation, or of the last of ours. */
export async function messageMenu(stage: Stage, ours = false) {
  const region = stage.page.getByRole('region', { name: 'Mensagens' })
  const bubble = region.locator(ours ? '.m-bubble.is-mine, .is-mine .m-bubble' : '.m-bubble').last()
  // A finger rests on the bubble; a mouse finds a button beside it.
  if (stage.phone) await bubble.dispatchEvent('pointerdown', { pointerType: 'touch' })
  else {
    await bubble.hover()
    await bubble
      .locator('xpath=ancestor-or-self::*[.//button[@aria-haspopup="menu"]][1]')
      .getByRole('button', { name: 'Ações da mensagem' })
      .last()
      .click()
  }
  await stage.page.getByRole('menu').waitFor()
}

export async function fromMessageMenu(stage: Stage, label: string | RegExp) {
  await messageMenu(stage)
  await stage.page.getByRole('menuitem', { name: label }).first().click()
}

export async function dialog({ page }: Stage) {
  const box = page.getByRole('dialog').last()
  await box.waitFor()
  return box
}

export function button({ page }: Stage, name: string | RegExp) {
  return page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
}

async function write(stage: Stage, text: string) {
  await stage.page.getByRole('textbox', { name: /Mensagem para/ }).fill(text)
}

async function openUserMenu(stage: Stage) {
  await stage.page
    .getByRole('button', { name: /Sua conta/ })
    .first()
    .click()
  await stage.page.getByRole('menu').waitFor()
}

async function fromUserMenu(stage: Stage, label: string) {
  await openUserMenu(stage)
  await stage.page.getByRole('menuitem', { name: label }).click()
  await dialog(stage)
}

export async function fromPalette(stage: Stage, label: string) {
  await stage.page.keyboard.press('Control+k')
  await stage.page.getByRole('combobox').fill(label)
  await stage.page.getByRole('option', { name: label }).first().click()
}

async function scrollUp(page: Page) {
  await page
    .locator('.c-conversation')
    .getByRole('region', { name: 'Mensagens' })
    .evaluate(region => {
      for (const element of [region, ...region.querySelectorAll('*')])
        if (element.scrollHeight > element.clientHeight + 20) element.scrollTop = 0
    })
}

/** Changes what the server answers. */
async function answer({ page }: Stage, address: string | RegExp, change: (body: Record<string, unknown>) => unknown) {
  await page.route(address, async route => {
    if (route.request().resourceType() === 'document') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })
}

async function fail({ page }: Stage, address: RegExp) {
  await page.route(address, route =>
    route.request().resourceType() === 'document'
      ? route.fallback()
      : route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL', message: 'Erro interno' } }),
  )
}
