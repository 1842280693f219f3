// The quick answers.
import type { Screen } from '../stage.ts'
import { makeFailedScreen, openForm, showPage } from '../steps.ts'

export const QUICK_ANSWERS: readonly Screen[] = [
  {
    name: 'quick-answers',
    steps: async stage => {
      await stage.sql`
        insert into quick_answer (shortcut, message, queue_id, user_id)
        select 'prazo-da-fila', 'Da fila: o conserto leva dois dias úteis.', min(id), null::int from queue
        union all select 'minha-saudacao', 'Oi, {{name}}! Fica em [[valor]].', null, min(id) from "user" where profile = 'admin'`
      await showPage('/quickAnswers', 'prazo-da-fila')(stage)
    },
    async after({ sql }) {
      await sql`delete from quick_answer where shortcut in ('minha-saudacao', 'prazo-da-fila')`
    },
  },
  { name: 'quick-answer-add', steps: openForm('/quickAnswers', /^(Nova|Adicionar)/) },
  makeFailedScreen('quick-answers-failed', { calls: /\/quickAnswers\/?(\?|$)/, path: '/quickAnswers' }),
]
