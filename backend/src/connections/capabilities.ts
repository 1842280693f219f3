// What each kind of connection can do, known without starting one: forms, menus and commands ask here.
export { capabilitiesOf } from '../channels/registry.ts'
