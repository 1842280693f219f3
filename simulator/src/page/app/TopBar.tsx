// The bar on top: the phones' network, a burst of messages, one more phone.
import { Plus, Wifi, Zap } from 'lucide-react'
import type { Network, PhoneView } from '../model.ts'
import type { PageView } from './App.tsx'
import { act } from './client.ts'
import { Segment } from './Segment.tsx'

const NETWORKS: [Network, string][] = [
  ['normal', 'Normal'],
  ['slow', 'Lenta'],
  ['off', 'Sem rede'],
]
const BURST = 50

const PLACES: [PageView, string][] = [
  ['phones', 'Telefones'],
  ['wall', 'Parede'],
]

interface TopBarProps {
  phones: PhoneView[]
  place: PageView
  onPlace: (place: PageView) => void
}

export function TopBar({ phones, place, onPlace }: TopBarProps) {
  const customers = phones.filter(phone => phone.role === 'customer')
  const [first] = customers
  const shared = first && customers.every(phone => phone.network === first.network) ? first.network : undefined
  return (
    <header className="bar">
      <img src="icon.svg" alt="" width="28" height="28" />
      <h1>Simulador</h1>
      <span className="chip-demo">
        Demonstração<span className="wide-only"> · nada sai para clientes de verdade</span>
      </span>
      <span className="unseen" id="place-label">
        O que se vê
      </span>
      <Segment labelledBy="place-label" options={PLACES} value={place} onChange={onPlace} />
      <div className="bar-tools">
        <span className="bar-label" id="network-label">
          <Wifi size={16} strokeWidth={1.8} /> Rede dos telefones
        </span>
        <Segment
          labelledBy="network-label"
          options={NETWORKS}
          value={shared}
          onChange={network => void act.network(network)}
        />
        <button type="button" className="button" onClick={() => void act.burst(BURST)}>
          <Zap size={16} strokeWidth={1.8} /> Rajada de {BURST}
        </button>
        <button type="button" className="button primary" onClick={() => void act.newPhone('')}>
          <Plus size={16} strokeWidth={1.8} /> Novo telefone
        </button>
      </div>
    </header>
  )
}
