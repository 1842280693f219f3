// The right column: what happened, newest first, and something to try.
import { Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { WorldNotice } from '../model.ts'
import { formatClockWithSeconds } from './format.ts'

const SHOWN = 60
const HINT_MS = 45_000
const HINTS = [
  'Desligue a rede de um telefone, responda no Balcão e ligue de novo: os tiques mudam na ordem certa.',
  'Mande uma rajada de 50 e veja a fila do Balcão se mexer sem recarregar a página.',
  'No celular da empresa, leia o código de uma conexão: ela aparece conectada no Balcão na mesma hora.',
  'Toque em uma mensagem para responder, reagir, editar ou apagar.',
  'Volte para a lista de conversas de um telefone: o que chegar fica entregue, mas não lido.',
  'Na parede, pegue um telefone e responda SAIR, bloqueie o número ou deixe-o sem WhatsApp.',
  'Responda pelo próprio celular da empresa: a mensagem aparece também no Balcão.',
]

export function Timeline({ happenings, connected }: { happenings: WorldNotice[]; connected: boolean }) {
  const [frozen, setFrozen] = useState<WorldNotice[]>()
  const shown = (frozen ?? happenings).slice(0, SHOWN)
  return (
    <aside className="timeline" aria-labelledby="timeline-title">
      <div className="timeline-head">
        <h2 id="timeline-title">O que aconteceu</h2>
        {!connected && <span className="chip-demo">reconectando…</span>}
        <button
          type="button"
          className="icon-button"
          aria-label={frozen ? 'Continuar a lista' : 'Pausar a lista'}
          onClick={() => setFrozen(frozen ? undefined : happenings)}
        >
          {frozen ? <Play size={16} strokeWidth={1.8} /> : <Pause size={16} strokeWidth={1.8} />}
        </button>
      </div>
      {shown.length === 0 && <p className="timeline-empty">Nada ainda. Escreva em um dos telefones para começar.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area has to be reachable by keyboard */}
      <ol className="timeline-list" tabIndex={0} aria-labelledby="timeline-title">
        {shown.map(happening => (
          <li key={happening.id}>
            <time dateTime={happening.at}>{formatClockWithSeconds(happening.at)}</time>
            <span>
              <b>{happening.actor}</b> {happening.action}
            </span>
          </li>
        ))}
      </ol>
      <Hint />
    </aside>
  )
}

function Hint() {
  const [index, setIndex] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setIndex(now => (now + 1) % HINTS.length), HINT_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <section className="hint">
      <h3>Experimente</h3>
      <p>{HINTS[index]}</p>
    </section>
  )
}
