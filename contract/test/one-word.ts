// One word for one thing in each language, on every page, in the terminal and in documents: what is said, and what is not said for it.

export interface Word {
  readonly thing: string
  readonly say: string
  /** How else it has been called. */
  readonly not: readonly string[]
}

export const WORDS: Readonly<Record<'pt' | 'en' | 'es', readonly Word[]>> = {
  pt: [
    { thing: 'what answers by itself', say: 'robô', not: ['bot', 'bots', 'chatbot'] },
    { thing: 'a person who is there, or not', say: 'online, offline', not: ['on-line', 'off-line'] },
    { thing: 'who attends', say: 'atendente', not: ['ou user', 'agente', 'agentes', 'atendedor'] },
    { thing: 'what conversations are marked with', say: 'tags', not: ['etiqueta', 'etiquetas'] },
    { thing: 'what the bot answers', say: 'perguntas, perguntas e respostas', not: ['perguntas do robô'] },
    {
      thing: 'a connection that sends and receives nothing, whatever its state is called',
      say: 'fora do ar',
      not: ['conexão caída', 'conexão caiu', 'conexão offline', 'conexão parada', 'linha fora do ar'],
    },
    {
      thing: 'the phone that is paired',
      say: 'celular',
      not: ['agenda do telefone', 'agenda de telefone', 'smartphone'],
    },
    { thing: 'a copy of everything', say: 'cópia de segurança', not: ['backup', 'backups'] },
    {
      thing: 'a text that is too short or long, or missing',
      say: 'a sentence',
      not: ['Too Short!', 'Too Long!', 'Required'],
    },
  ],
  en: [
    { thing: 'what answers by itself', say: 'bot', not: ['robot', 'robots', 'chatbot'] },
    { thing: 'a person who is there, or not', say: 'online, offline', not: ['on-line', 'off-line'] },
    { thing: 'what the bot answers', say: 'questions, questions and answers', not: ['questions of the bot'] },
    { thing: 'who attends', say: 'agent', not: ['attendant', 'attendants', 'or user'] },
    { thing: 'a text that is too short or long, or missing', say: 'a sentence', not: ['Too Short!', 'Too Long!'] },
  ],
  es: [
    { thing: 'what answers by itself', say: 'bot', not: ['robot', 'robots', 'chatbot'] },
    {
      thing: 'a person who is there, or not',
      say: 'en línea, desconectado',
      not: ['online', 'offline', 'on-line', 'off-line', 'fuera de línea'],
    },
    { thing: 'what the bot answers', say: 'preguntas, preguntas y respuestas', not: ['preguntas del bot'] },
    { thing: 'who attends', say: 'agente', not: ['atendente', 'atendentes', 'o user'] },
    { thing: 'what conversations are marked with', say: 'etiquetas', not: ['tag', 'tags'] },
    { thing: 'who waits for a person of a subject', say: 'fila', not: ['cola', 'colas'] },
    { thing: 'the phone that is paired', say: 'teléfono', not: ['celular', 'celulares', 'móvil'] },
    {
      thing: 'a text that is too short or long, or missing',
      say: 'a sentence',
      not: ['Too Short!', 'Too Long!', 'Required'],
    },
  ],
}

/** Several texts that name the same thing: the same words, but for their capitals. */
export const SAME: readonly (readonly string[])[] = [
  ['ui:online', 'mfe-dashboard:presence.online', 'mfe-tickets/chats:chat.presence.online'],
  ['ui:away', 'mfe-dashboard:presence.away', 'mfe-tickets/chats:chat.presence.away', 'cli/users:now.away'],
  ['ui:offline', 'mfe-dashboard:presence.offline', 'mfe-tickets/chats:chat.presence.offline', 'cli/users:now.offline'],
  ['shell:/perguntas', 'mfe-automation/questions:title'],
  ['shell:/ticketsBot', 'mfe-automation/bot-tickets:title'],
]
