package dev.silkroute.app.routes;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Component;
import org.apache.camel.spi.BeanRepository;
import org.apache.camel.spi.DataFormat;
import org.apache.camel.spi.Language;
import org.jspecify.annotations.Nullable;

/**
 * The station's beans, for a rehearsal. Components, languages and data formats belong to one context and are in use
 * there, so the rehearsal gets new ones of the same class. Other beans are shared; those that have a reference to
 * their context get it back after the rehearsal.
 */
final class LiveBeans implements BeanRepository {
    private final CamelContext live;
    private final Set<CamelContextAware> lent = new HashSet<>();

    LiveBeans(CamelContext live) {
        this.live = live;
    }

    /** Restores the context of shared beans; call this after the rehearsal. */
    void giveBack() {
        lent.forEach(bean -> bean.setCamelContext(live));
    }

    @Override
    public @Nullable Object lookupByName(String name) {
        return lookupByNameAndType(name, Object.class);
    }

    @Override
    public <T> @Nullable T lookupByNameAndType(String name, Class<T> type) {
        return lend(live.getRegistry().lookupByNameAndType(name, type), type);
    }

    @Override
    public <T> Map<String, T> findByTypeWithName(Class<T> type) {
        var found = new LinkedHashMap<String, T>();
        live.getRegistry().findByTypeWithName(type).forEach((name, bean) -> {
            var lendable = lend(bean, type);
            if (lendable != null) {
                found.put(name, lendable);
            }
        });
        return found;
    }

    @Override
    public <T> Set<T> findByType(Class<T> type) {
        var found = new HashSet<T>();
        for (var bean : live.getRegistry().findByType(type)) {
            var lendable = lend(bean, type);
            if (lendable != null) {
                found.add(lendable);
            }
        }
        return found;
    }

    @Override
    public <T> @Nullable T findSingleByType(Class<T> type) {
        return lend(live.getRegistry().findSingleByType(type), type);
    }

    private <T> @Nullable T lend(@Nullable T bean, Class<T> type) {
        if (bean instanceof Component || bean instanceof Language || bean instanceof DataFormat) {
            return type.cast(live.getInjector().newInstance(bean.getClass(), false));
        }
        if (bean instanceof CamelContextAware aware
                && (aware.getCamelContext() == live || aware.getCamelContext() == null)) {
            lent.add(aware);
        }
        return bean;
    }
}
