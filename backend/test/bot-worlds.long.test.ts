import './bot-worlds.test.ts'
