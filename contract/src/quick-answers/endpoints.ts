import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Files, page, Search, Type } from '../kit/schema.ts'
import { QuickAnswer } from './quick-answer.ts'

export const quickAnswerEndpoints = {
  'GET /quickAnswers': {
    summary: 'Quick answers, by shortcut',
    query: Search,
    answer: Type.Object({ quickAnswers: Type.Array(QuickAnswer), ...page }),
  },
  'GET /quickAnswers/:id': {
    summary: 'One quick answer',
    errors: ['ERR_NO_QUICK_ANSWER_FOUND'],
    answer: QuickAnswer,
  },
  'POST /quickAnswers': {
    summary: 'Add a quick answer (multipart: shortcut, message, medias)',
    errors: ['ERR_DUPLICATED_SHORTCUT', 'ERR_FILE_TYPE', 'ERR_NO_SPACE', 'ERR_FILE_TOO_LARGE'],
    bodyKind: 'multipart',
    form: Type.Object({
      shortcut: Type.String(),
      message: Type.String(),
      medias: Type.Optional(Files),
      clientId: ClientId,
    }),
    answer: QuickAnswer,
    status: 201,
  },
  'PUT /quickAnswers/:id': {
    summary: 'Change a quick answer (multipart; removeMedia=true drops the file)',
    errors: [
      'ERR_NO_QUICK_ANSWER_FOUND',
      'ERR_CHANGED_MEANWHILE',
      'ERR_DUPLICATED_SHORTCUT',
      'ERR_FILE_TYPE',
      'ERR_NO_SPACE',
      'ERR_FILE_TOO_LARGE',
    ],
    bodyKind: 'multipart',
    form: Type.Object({
      shortcut: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
      medias: Type.Optional(Files),
      removeMedia: Type.Optional(Type.String()),
      version: Type.Optional(Type.String()),
    }),
    answer: QuickAnswer,
  },
  'DELETE /quickAnswers/:id': {
    summary: 'Delete a quick answer',
    errors: ['ERR_NO_QUICK_ANSWER_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
