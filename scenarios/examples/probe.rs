use unacked_scenarios::{build::Model, catalog, filter::Filter, policy::PolicyFile};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (sc, po, n, tr) = (&args[1], &args[2], &args[3].parse::<u64>().unwrap(), args.get(4));
    let model = Model::read(sc, catalog::scenario(sc).unwrap(), &|_| Err("no".into())).unwrap();
    let policy = PolicyFile::read(po, catalog::policy(po).unwrap()).unwrap();
    model.with_orchestrator(&policy, &Filter::default(), |lab| {
        if tr.map(|t| t.as_str()) == Some("exhaust") {
            let mut seen: std::collections::BTreeMap<_, (u64, String)> = Default::default();
            let t = std::time::SystemTime::now();
            let mut visit = |s: &unacked_sim::plan::Script, o: &unacked_sim::lab::Outcome, lab: &unacked_sim::lab::Lab<'_, unacked_scenarios::shop::Shop>| {
                for v in &o.violations {
                    let e = seen.entry(v.signature()).or_insert_with(|| (0, format!("{} / {} / {}", v.headline, v.found, lab.door(|d| unacked_sim::plan::Plan::describe(d.landed(), s.noise, &d.names, &d.kinds)))));
                    e.0 += 1;
                }
                true
            };
            let mut w = unacked_sim::explore::Walk { faults: *n as usize, visit: &mut visit, levels: unacked_sim::explore::Levels::new(*n as usize) };
            let r = w.below(lab, &mut Default::default());
            println!("{:?} {:?}", r, w.levels);
            let runs = w.levels.runs();
            println!("{:.0}/s", runs as f64 / t.elapsed().unwrap().as_secs_f64());
            for (k, v) in seen { println!("{k}: {v:?}"); }
            return;
        }
        if let Some(s) = tr {
            let (o, t) = lab.trace_seed(s.parse().unwrap());
            for e in t {
                let a = lab.world(|w| unacked_sim::world::World::actor(w, e.actor));
                println!(
                    "{:>4} {:>14} <{:<3} {:<10} {:?} {} {}",
                    e.number,
                    e.at.to_string(),
                    e.cause,
                    a,
                    e.mark,
                    e.text,
                    e.fault.map_or(String::new(), |f| format!("  [fault {}]", f + 1))
                );
            }
            println!("{:?} ended {} calm {}", o.violations, o.ended, o.calm);
            return;
        }
        let t = std::time::SystemTime::now();
        let mut counts = std::collections::BTreeMap::new();
        let mut ev = 0u64;
        let mut reach = vec![0u64; 64];
        let mut ends = std::collections::BTreeMap::new();
        for seed in 0..*n {
            let o = lab.run_seed(seed);
            ev += o.events as u64;
            lab.door(|d| {
                for (i, r) in d.reach().iter().enumerate() {
                    reach[i] += *r as u64
                }
            });
            lab.store(|b| {
                for o in b.orders() {
                    *ends.entry(format!("{:?} {}", o.end, o.handoff.is_some())).or_insert(0) += 1;
                }
            });
            for v in &o.violations {
                let e = counts.entry(v.signature()).or_insert((0, seed, v.headline.clone(), v.found.clone()));
                e.0 += 1;
            }
        }
        let el = t.elapsed().unwrap().as_secs_f64();
        println!("{n} runs, {:.0}/s, {:.1} events/run", *n as f64 / el, ev as f64 / *n as f64);
        for (s, c) in counts {
            println!("{s}: {c:?}");
        }
        println!("{ends:?}");
        lab.door(|d| {
            for (id, k) in d.kinds.iter() {
                print!("{}={} ", k.name, reach[id.0 as usize]);
            }
        });
        println!();
    });
}
