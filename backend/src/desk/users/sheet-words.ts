// What is wrong with rows of people, in the words of the screens and the language of who asked. Pure.
import { COLUMN_MISSING, type Language, type UserColumn } from '@balcao/contract'

/** One thing that is wrong, in words. */
export function formatFault(
  { field, error }: { readonly field: string; readonly error: string },
  language: Language,
): string {
  const { fields, problems } = WORDS[language]
  const labels: Readonly<Record<string, string>> = fields
  return `${labels[field] ?? field}: ${problems[error] ?? error}`
}

interface Words {
  readonly fields: Readonly<Record<UserColumn, string>>
  /** By what the answer says: a sentence of the specification, or a code. */
  readonly problems: Readonly<Record<string, string>>
}

const WORDS: Readonly<Record<Language, Words>> = {
  pt: {
    fields: {
      ...{ nome: 'Nome', email: 'E-mail', senha: 'Senha', perfil: 'Perfil', filas: 'Filas' },
      ...{ ativo: 'Ativo', inicio: 'Início', fim: 'Fim' },
    },
    problems: {
      ERR_DUPLICATED_EMAIL: 'E-mail repetido na planilha',
      'Invalid email': 'E-mail inválido',
      'Perfil inválido': 'Use Administrador, Gerente ou Atendente',
      'Too Short!': 'Curto demais',
      'Too Long!': 'Longo demais',
      Required: 'Falta preencher',
      ERR_NO_QUEUE_FOUND: 'Fila não encontrada',
    },
  },
  en: {
    fields: {
      ...{ nome: 'Name', email: 'E-mail', senha: 'Password', perfil: 'Profile', filas: 'Queues' },
      ...{ ativo: 'Active', inicio: 'Begins', fim: 'Ends' },
    },
    problems: {
      [COLUMN_MISSING]: 'Column not found',
      ERR_DUPLICATED_EMAIL: 'The e-mail stands in the sheet more than once',
      'Perfil inválido': 'Use Admin, Manager or Agent',
      'Too Short!': 'Too short',
      'Too Long!': 'Too long',
      Required: 'Missing',
      'Use sim ou não': 'Use yes or no',
      'Horário inválido': 'Write a time, such as 08:00',
      'Invalid email': 'Not an e-mail address',
      ERR_NO_QUEUE_FOUND: 'Queue not found',
      'A senha deve ter no mínimo 8 caracteres.': 'A password has at least 8 characters',
      'A senha deve ter pelo menos uma letra maiúscula.': 'A password has a capital letter',
      'A senha deve ter pelo menos uma letra minúscula.': 'A password has a small letter',
      'A senha deve ter pelo menos um número.': 'A password has a digit',
      'A senha deve ter pelo menos um caractere especial.': 'A password has a special character',
      'A senha deve ter no máximo 50 caracteres.': 'A password has at most 50 characters',
    },
  },
  es: {
    fields: {
      ...{ nome: 'Nombre', email: 'Correo', senha: 'Contraseña', perfil: 'Perfil', filas: 'Colas' },
      ...{ ativo: 'Activo', inicio: 'Inicio', fim: 'Fin' },
    },
    problems: {
      [COLUMN_MISSING]: 'Columna no encontrada',
      ERR_DUPLICATED_EMAIL: 'El correo aparece más de una vez en la planilla',
      'Perfil inválido': 'Usa Administrador, Gerente o Agente',
      'Too Short!': 'Demasiado corto',
      'Too Long!': 'Demasiado largo',
      Required: 'Falta completarlo',
      'Use sim ou não': 'Usa sí o no',
      'Horário inválido': 'Escribe un horario, como 08:00',
      'Invalid email': 'Correo no válido',
      ERR_NO_QUEUE_FOUND: 'Cola no encontrada',
      'A senha deve ter no mínimo 8 caracteres.': 'La contraseña tiene 8 caracteres o más',
      'A senha deve ter pelo menos uma letra maiúscula.': 'La contraseña lleva una mayúscula',
      'A senha deve ter pelo menos uma letra minúscula.': 'La contraseña lleva una minúscula',
      'A senha deve ter pelo menos um número.': 'La contraseña lleva un número',
      'A senha deve ter pelo menos um caractere especial.': 'La contraseña lleva un carácter especial',
      'A senha deve ter no máximo 50 caracteres.': 'La contraseña tiene 50 caracteres o menos',
    },
  },
}
