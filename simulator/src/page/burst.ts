// Many messages at once, from all customers in turn, to the chats that are open on their phones.
import type { PhoneHub } from './hub.ts'

const WORDS = [
  'Bom dia, ainda tem farinha?',
  'Qual o prazo de entrega?',
  'Pode mandar a segunda via do boleto?',
  'Chegou faltando uma caixa',
  'Obrigada!',
  'Vocês abrem sábado?',
  'Quanto fica o frete?',
  'Mandei o comprovante',
  'Oi, tem alguém aí?',
  'Preciso trocar o endereço',
]
const PAUSE_MS = 60

/** Starts sending and returns at once; phones without network keep theirs until it is back. */
export function sendBurst(hub: PhoneHub, count: number): void {
  const lines = hub.customers
    .filter(phone => !phone.crowd)
    .flatMap(phone => phone.line(phone.open) ?? phone.lines()[0] ?? [])
  if (lines.length === 0) return
  let sent = 0
  const timer = setInterval(() => {
    const line = lines[sent % lines.length]
    const text = `${WORDS[sent % WORDS.length] ?? 'Oi'} (${sent + 1} de ${count})`
    void line?.send({ type: 'text', text }).catch(() => undefined)
    sent++
    if (sent >= count) clearInterval(timer)
  }, PAUSE_MS)
}
