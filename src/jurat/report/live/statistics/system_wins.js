// How often each system is better than another one: `jurat.stats.systems.expected_wins`.

computes("systems", ["system-wins", "pairwise-wins"], (kept, settings) => {
  const { systems, wins } = kept.once(winCounts, settings);
  const size = systems.length;
  const found = kept.once(winRates, settings);
  const decided = wins.map((row, a) => total(row.map((one, b) => one + wins[b][a])));
  const order = bestFirst(found.slice(0, size).map(({ value }, at) => ({ value, at }))).map(({ at }) => at);
  const pairs = order.flatMap((a, n) => order.slice(n + 1).map((b) => [a, b]));
  const both = [...pairs, ...pairs.map(([a, b]) => [b, a])];
  return {
    "system-wins": ofSystems(systems, found.slice(0, size), decided, order),
    "pairwise-wins": both.map(([a, b]) => ({ by: pairBy([systems[a], systems[b]]), ...found[size + a * size + b], n: wins[a][b] + wins[b][a] })),
  };
});
