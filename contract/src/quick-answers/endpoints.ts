import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Files, page, Search, Type } from '../kit/schema.ts'
import { QuickAnswer, QuickAnswerScope } from './quick-answer.ts'

export const quickAnswerEndpoints = {
  'GET /quickAnswers': {
    summary: 'The quick answers one may see, by shortcut',
    query: Type.Object({
      ...Search.properties,
      scope: Type.Optional(QuickAnswerScope),
      mostUsed: Type.Optional(
        Type.String({ maxLength: 5, description: 'true: one page, those first that one takes most often' }),
      ),
    }),
    answer: Type.Object({ quickAnswers: Type.Array(QuickAnswer), ...page }),
  },
  'GET /quickAnswers/:id': {
    summary: 'One quick answer',
    errors: ['ERR_NO_QUICK_ANSWER_FOUND'],
    answer: QuickAnswer,
  },
  'POST /quickAnswers': {
    summary: 'Add a quick answer (multipart: shortcut, message, scope, medias)',
    errors: ['ERR_DUPLICATED_SHORTCUT', 'ERR_FILE_TYPE', 'ERR_NO_SPACE', 'ERR_FILE_TOO_LARGE'],
    bodyKind: 'multipart',
    form: Type.Object({
      shortcut: Type.String(),
      message: Type.String(),
      scope: Type.Optional(QuickAnswerScope),
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
      scope: Type.Optional(QuickAnswerScope),
      medias: Type.Optional(Files),
      removeMedia: Type.Optional(Type.String()),
      version: Type.Optional(Type.String()),
    }),
    answer: QuickAnswer,
  },
  'POST /quickAnswers/:id/use': {
    summary: 'Say that one has taken it: what one takes most often comes first',
    errors: ['ERR_NO_QUICK_ANSWER_FOUND'],
    status: 204,
  },
  'DELETE /quickAnswers/:id': {
    summary: 'Delete a quick answer',
    errors: ['ERR_NO_QUICK_ANSWER_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
