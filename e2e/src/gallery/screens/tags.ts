// The tags.
import type { Screen } from '../stage.ts'
import { makeEmptyScreen, makeFailedScreen, openForm, openRowForm, showPage } from '../steps.ts'

const LIST = /\/tag\/?(\?|$)/

export const TAGS: readonly Screen[] = [
  { name: 'tags', steps: showPage('/tags', 'Recorrente') },
  makeEmptyScreen('tags-empty', { calls: LIST, path: '/tags', text: 'Nenhuma tag ainda' }),
  makeFailedScreen('tags-failed', { calls: LIST, path: '/tags', text: 'As tags não carregaram' }),
  { name: 'tag-add', steps: openForm('/tags', 'Adicionar tag') },
  { name: 'tag-edit', steps: openRowForm('/tags', 'Recorrente', 'Editar') },
]
