// What is wrong with rows, in words: those of the screens, in the language of who asked.
import {
  type ContactColumn,
  type DelegationColumn,
  type Language,
  SHEET_PROBLEMS,
  type SheetProblem,
} from '@balcao/contract'

/** Everything that is wrong with a row, in one cell. */
export function faultsText(
  faults: readonly { readonly field: string; readonly code: SheetProblem }[],
  language: Language = 'pt',
): string {
  const { fields, problems } = WORDS[language]
  const labels: Readonly<Record<string, string>> = fields
  return faults.map(({ field, code }) => `${labels[field] ?? field}: ${problems[code]}`).join('; ')
}

interface Words {
  readonly fields: Readonly<Record<ContactColumn | DelegationColumn, string>>
  readonly problems: Readonly<Record<SheetProblem, string>>
}

const WORDS: Readonly<Record<Language, Words>> = {
  pt: {
    fields: {
      ...{ nome: 'Nome', numero: 'Número', email: 'E-mail', tags: 'Tags', resposta_automatica: 'Resp. automática' },
      ...{ fila: 'Fila', usuario: 'Atendente' },
    },
    problems: SHEET_PROBLEMS,
  },
  en: {
    fields: {
      ...{ nome: 'Name', numero: 'Number', email: 'E-mail', tags: 'Tags', resposta_automatica: 'Automatic reply' },
      ...{ fila: 'Queue', usuario: 'Agent' },
    },
    problems: {
      nameRequired: 'The name is missing',
      nameLength: 'A name has 2 to 50 characters',
      numberRequired: 'The number is missing',
      numberLength: 'A number has 8 to 50 digits',
      numberUnreadable: 'Not a phone number',
      areaCodeMissing: 'The area code is missing',
      email: 'Not an e-mail address',
      infoName: 'Give this detail a name',
      redirectTwice: 'A queue has one agent: this one stands twice',
      redirectIncomplete: 'Say the queue and the agent, or leave both empty',
      redirectUnlinked: 'The agent does not have this queue',
      redirectInactive: 'This person’s access is switched off',
      columnMissing: 'Column not found',
      numberTwice: 'The number stands in the sheet more than once',
      answer: 'Use yes or no',
      tagName: 'A tag has 2 to 50 characters',
      tagsMost: 'The sheet makes too many tags',
      queueUnknown: 'Queue not found',
      userUnknown: 'Agent not found',
      userSeveral: 'More than one agent of this name: use the e-mail',
      otherRow: 'Another row of this contact is wrong',
      ticketHidden: 'Is in a conversation that you do not see',
    },
  },
  es: {
    fields: {
      ...{
        nome: 'Nombre',
        numero: 'Número',
        email: 'Correo',
        tags: 'Etiquetas',
        resposta_automatica: 'Resp. automática',
      },
      ...{ fila: 'Cola', usuario: 'Agente' },
    },
    problems: {
      nameRequired: 'Falta el nombre',
      nameLength: 'El nombre tiene de 2 a 50 caracteres',
      numberRequired: 'Falta el número',
      numberLength: 'El número tiene de 8 a 50 dígitos',
      numberUnreadable: 'No es un número de teléfono',
      areaCodeMissing: 'Falta el código de área',
      email: 'Correo no válido',
      infoName: 'Ponle un nombre a este dato',
      redirectTwice: 'Cada cola tiene un solo agente: esta aparece dos veces',
      redirectIncomplete: 'Indica la cola y el agente, o deja los dos en blanco',
      redirectUnlinked: 'El agente no está en esta cola',
      redirectInactive: 'El acceso de esta persona está desactivado',
      columnMissing: 'Columna no encontrada',
      numberTwice: 'El número aparece más de una vez en la planilla',
      answer: 'Usa sí o no',
      tagName: 'La etiqueta tiene de 2 a 50 caracteres',
      tagsMost: 'La planilla crea demasiadas etiquetas',
      queueUnknown: 'Cola no encontrada',
      userUnknown: 'Agente no encontrado',
      userSeveral: 'Más de un agente con este nombre: usa el correo',
      otherRow: 'Otra fila de este contacto tiene un error',
      ticketHidden: 'Está en una conversación que no ves',
    },
  },
}
