// Two hundred phones in one look: what arrived, who read, who answered, who asked to be left alone. One of them can be taken in hand.
import { Ban, Download, PhoneOff, Users, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PhoneView } from '../model.ts'
import { act } from './client.ts'
import { Phone } from './Phone.tsx'
import { countStates, findNewestChat, getWallState, WALL_STATES, type WallState } from './wall-state.ts'

const NAMES: Record<WallState, string> = {
  absent: 'sem WhatsApp',
  blocked: 'bloqueou o número',
  left: 'pediu SAIR',
  answered: 'respondeu',
  arrived: 'recebeu',
  read: 'leu',
  quiet: 'nada chegou',
}

const COUNTED: Record<WallState, [one: string, many: string]> = {
  absent: ['sem WhatsApp', 'sem WhatsApp'],
  blocked: ['bloqueou', 'bloquearam'],
  left: ['pediu SAIR', 'pediram SAIR'],
  answered: ['respondeu', 'responderam'],
  arrived: ['recebeu', 'receberam'],
  read: ['leu', 'leram'],
  quiet: ['em silêncio', 'em silêncio'],
}

interface WallProps {
  phones: PhoneView[]
  /** Beside the wall while no phone is in hand. */
  children: ReactNode
}

export function Wall({ phones, children }: WallProps) {
  const [chosen, setChosen] = useState<string>()
  const inHand = phones.find(phone => phone.id === chosen)
  const crowd = phones.some(phone => phone.crowd)
  return (
    <main className="wall-page" aria-label="Parede de telefones" tabIndex={-1}>
      <div className="wall-side">
        <Facts phones={phones} crowd={crowd} />
        {crowd ? (
          <ul className="wall-tiles">
            {phones.map(phone => (
              <li key={phone.id}>
                <Tile phone={phone} chosen={phone.id === chosen} onChoose={() => choose(phone, setChosen)} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="loading">A parede está vazia.</p>
        )}
      </div>
      {inHand ? <InHand key={inHand.id} phone={inHand} onClose={() => setChosen(undefined)} /> : children}
    </main>
  )
}

/** The chat that spoke last is opened with the phone: answering and blocking are about it. */
function choose(phone: PhoneView, setChosen: (id: string) => void): void {
  const chat = findNewestChat(phone) ?? phone.chats[0]
  if (!phone.open && chat) void act.open(phone.id, chat.id)
  setChosen(phone.id)
}

function Facts({ phones, crowd }: { phones: PhoneView[]; crowd: boolean }) {
  const counts = countStates(phones)
  return (
    <div className="wall-facts">
      <h2>{phones.length} telefones</h2>
      <ul aria-live="polite">
        {WALL_STATES.toReversed()
          .filter(state => state !== 'quiet' && counts[state] > 0)
          .map(state => (
            <li key={state} data-state={state}>
              <i className="tile-mark" /> <b>{counts[state]}</b> {COUNTED[state][counts[state] === 1 ? 0 : 1]}
            </li>
          ))}
      </ul>
      {crowd ? (
        <a className="button" href="api/crowd.csv" download>
          <Download size={16} strokeWidth={1.8} /> Planilha para Contatos
        </a>
      ) : (
        <button type="button" className="button primary" onClick={() => void act.crowd()}>
          <Users size={16} strokeWidth={1.8} /> Trazer 200 clientes
        </button>
      )}
    </div>
  )
}

function Tile({ phone, chosen, onChoose }: { phone: PhoneView; chosen: boolean; onChoose: () => void }) {
  const state = getWallState(phone)
  const words = findNewestChat(phone)?.preview
  return (
    <button
      type="button"
      className="tile"
      data-state={state}
      data-phone={phone.id}
      aria-pressed={chosen}
      aria-label={`${phone.name}: ${NAMES[state]}`}
      title={`${phone.name}: ${NAMES[state]}${words ? `\n${words}` : ''}`}
      onClick={onChoose}
    >
      <span className="tile-glass">
        {state !== 'quiet' && state !== 'absent' && <i className="tile-in" />}
        {(state === 'answered' || state === 'left') && <i className="tile-own">{state === 'left' ? 'SAIR' : ''}</i>}
        {state === 'blocked' && <Ban size={14} strokeWidth={2} aria-hidden />}
        {state === 'absent' && <PhoneOff size={14} strokeWidth={2} aria-hidden />}
        <i className="tile-mark" />
      </span>
    </button>
  )
}

/** The chosen phone in full size, with what its owner can do about being written to. */
function InHand({ phone, onClose }: { phone: PhoneView; onClose: () => void }) {
  const hand = useRef<HTMLElement>(null)
  const { peer } = phone
  useEffect(() => hand.current?.focus(), [])
  const close = () => {
    onClose()
    document.querySelector<HTMLElement>(`.tile[data-phone="${phone.id}"]`)?.focus()
  }
  return (
    <section ref={hand} className="in-hand" aria-label={`${phone.name} na mão`} tabIndex={-1}>
      <div className="in-hand-acts">
        <button
          type="button"
          className="button"
          onClick={() => void act.send(phone.id, { type: 'text', text: 'SAIR' })}
        >
          Responder SAIR
        </button>
        <Switch
          label="Bloquear"
          on={peer?.blocked ?? false}
          {...(peer ? { onTurn: on => void act.block(phone.id, on) } : {})}
        />
        <Switch label="Sem WhatsApp" on={!phone.onWhatsApp} onTurn={on => void act.whatsapp(phone.id, !on)} />
        <button type="button" className="icon-button" aria-label="Devolver o telefone à parede" onClick={close}>
          <X size={16} strokeWidth={1.8} />
        </button>
      </div>
      <Phone phone={phone} scans={[]} />
    </section>
  )
}

function Switch({ label, on, onTurn }: { label: string; on: boolean; onTurn?: (on: boolean) => void }) {
  return (
    <button type="button" className="button" aria-pressed={on} disabled={!onTurn} onClick={() => onTurn?.(!on)}>
      {label}
    </button>
  )
}
